// The stores in a component, for Svelte 5.

import { mount as mountComponent, unmount } from "svelte";
import { writable } from "svelte/store";

import App from "@app";
import Element from "./Element.svelte";

export const mount = (target, props) => mountOf(App, target, props);

/** Mounts `<lead-review>` alone. */
export const mountElement = (target, props) => mountOf(Element, target, props);

function mountOf(component, target, props) {
  const input = writable(props);
  const app = mountComponent(component, { target, props: { input } });
  return { set: (next) => input.update((all) => ({ ...all, ...next })), unmount: () => unmount(app) };
}
