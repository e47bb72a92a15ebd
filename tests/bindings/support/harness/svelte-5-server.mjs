// The stores in a component that is rendered on a server, for Svelte 5.

import { render as renderComponent } from "svelte/server";
import { writable } from "svelte/store";

import App from "@app";

export const render = (props) => renderComponent(App, { props: { input: writable(props) } }).body;
