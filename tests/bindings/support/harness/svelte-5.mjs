// The stores in a component, for Svelte 5.

import { mount as mountComponent, unmount } from "svelte";
import { writable } from "svelte/store";

import App from "@app";

export function mount(target, props) {
  const input = writable(props);
  const app = mountComponent(App, { target, props: { input } });
  return { set: (next) => input.update((all) => ({ ...all, ...next })), unmount: () => unmount(app) };
}
