// The composables in components, for Vue.

import { createApp, createSSRApp, defineComponent, h, shallowReactive } from "vue";
import { renderToString } from "vue/server-renderer";

import { useLeadStatus, useLeads, useReview, useReviewSnapshot } from "../../../../www/npm/vue.js";
import { textOf } from "./text.mjs";

const Status = defineComponent({
  props: ["review", "leadId", "seen"],
  setup(props) {
    const status = useLeadStatus(props.review, () => props.leadId);
    return () => {
      props.seen.push(status.value.shown);
      return h("b", status.value.shown);
    };
  },
});

const App = defineComponent({
  props: ["workspace", "options", "query", "leadId", "seen", "handles"],
  setup(props) {
    const review = useReview(props.workspace, props.options);
    const snapshot = useReviewSnapshot(review);
    const { page, error, isLoading, reload } = useLeads(props.workspace, review, () => props.query);
    Object.assign(props.handles, { review, reload });
    const text = () =>
      textOf({ snapshot: snapshot.value, page: page.value, error: error.value, isLoading: isLoading.value });
    return () => h("div", [h("pre", text()), h(Status, { review, leadId: props.leadId, seen: props.seen })]);
  },
});

export const mount = (target, props) => mountOf(App, target, props);

/** Mounts `<lead-review>` alone. */
export const mountElement = (target, props) => mountOf("lead-review", target, props);

function mountOf(type, target, props) {
  const state = shallowReactive({ ...props });
  const app = createApp({ render: () => h(type, { ...state }) });
  app.mount(target);
  return { set: (next) => Object.assign(state, next), unmount: () => app.unmount() };
}

export const render = (props) => renderToString(createSSRApp({ render: () => h(App, props) }));
