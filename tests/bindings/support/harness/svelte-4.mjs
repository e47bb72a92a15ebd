// The stores in a component, for Svelte 4.

import { writable } from "svelte/store";

import App from "./App.svelte";
import Element from "./Element.svelte";

export const mount = (target, props) => mountOf(App, target, props);

/** Mounts `<lead-review>` alone. */
export const mountElement = (target, props) => mountOf(Element, target, props);

function mountOf(Component, target, props) {
  const input = writable(props);
  const app = new Component({ target, props: { input } });
  return { set: (next) => input.update((all) => ({ ...all, ...next })), unmount: () => app.$destroy() };
}

export const render = (props) => App.render({ input: writable(props) }).html;
