// The stores in a component, for Svelte 4.

import { writable } from "svelte/store";

import App from "./App.svelte";

export function mount(target, props) {
  const input = writable(props);
  const app = new App({ target, props: { input } });
  return { set: (next) => input.update((all) => ({ ...all, ...next })), unmount: () => app.$destroy() };
}

export const render = (props) => App.render({ input: writable(props) }).html;
