// The elements in React's JSX.

import type { LeadReviewElement } from "lead-workspace/react-ui";
import wasm from "lead-workspace/client.wasm";

const ref: { current: LeadReviewElement | null } = { current: null };
export const address: string = wasm;
export const review = (
  <lead-review
    ref={ref}
    baseUrl="https://workspace.example"
    theme="dark"
    hostName="Harbour"
    columns={[{ id: "owner", label: "Owner", value: (lead) => lead.name }]}
    actions={[{ id: "send", label: "Send", for: "lead", run: (ids) => console.log(ids) }]}
    details={(lead) => document.createTextNode(lead.name ?? "")}
    ondecision={(event) => console.log(event.detail.leadId)}
    onselection={({ detail }) => console.log(detail.ids)}
    onopen={({ detail }) => console.log(detail.leadId)}
    onbulk={({ detail }) => console.log(detail.failed)}
  />
);
declare const text: string | undefined;
export const missing = <lead-review baseUrl={text} view={text} appearance={undefined} columns={undefined} onopen={undefined} />;
export const pulse = <account-pulse accountId="account-1" appearance={{ accent: "#fc0" }} onnavigate={({ detail }) => console.log(detail.view)} />;
// @ts-expect-error unknown theme
export const wrong = <lead-review theme="blue" />;
// @ts-expect-error a color is a text
export const loud = <lead-review appearance={{ accent: 7 }} />;
// @ts-expect-error unknown attribute
export const odd = <account-pulse account="account-1" />;
