// The script of the page that `lead-workspace demo` serves: the review, with its view in the address.

import { mountLeadReview } from "./ui.js";

const view = () => location.pathname + location.search;

document.body.style.cssText = "margin: 0; height: 100dvh";
const review = mountLeadReview(document.body, {
  // Any key is valid.
  apiKey: "demo",
  view: view(),
  onNavigate: (place) => history.pushState(null, "", `/${place.view}`),
});
addEventListener("popstate", () => review.navigate(view()));
