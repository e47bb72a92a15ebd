//! The custom elements, `mountLeadReview` and `mountAccountPulse`, as a page uses them.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::host_page::page;

#[wasm_bindgen_test]
async fn attributes_connect_the_element_and_events_are_emitted() {
    let results = page(
        "place.innerHTML = '<lead-review base-url=\"https://one.example\" api-key=\"lwk_1_a\" tenant-id=\"t1\" view=\"leads?tab=all\" theme=\"dark\"></lead-review>';
         const review = place.firstChild;
         for (const name of ['decision', 'navigate']) review.addEventListener(name, (event) => results.push(name + JSON.stringify(event.detail)));
         await review.ready;
         const inside = (selector) => review.shadowRoot.querySelector(selector);
         await decide(inside, 'Approve');
         await until(() => results.length === 1);
         results.push(seen.sent[0], inside('.embedded').dataset.theme);
         review.setAttribute('theme', 'light');
         await until(() => inside('.embedded').dataset.theme === 'light');
         [...review.shadowRoot.querySelectorAll('nav a')].find((link) => link.textContent === 'Accounts').click();
         await until(() => results.length === 4);
         results.push(review.view, review.getAttribute('view'));
         review.setAttribute('view', 'leads');
         await until(() => inside('[aria-label=\"Search leads\"]'));
         results.push(review.view);",
    )
    .await;
    let wanted = [
        r#"decision{"leadId":"l1","status":"approved","previous":"pending_approval"}"#,
        "POST https://one.example/api/leads/query Bearer lwk_1_a t1",
        "dark",
        r#"navigate{"view":"accounts"}"#,
        "accounts",
        "leads?tab=all",
        "leads",
    ];
    assert_eq!(results, wanted);
}

#[wasm_bindgen_test]
async fn the_element_unmounts_on_removal_but_not_on_a_move() {
    let results = page(
        "const review = document.createElement('lead-review');
         review.apiKey = 'lwk_1_secret';
         place.append(review);
         await review.ready;
         const app = review.shadowRoot.querySelector('.embedded');
         const other = document.createElement('section');
         place.append(other);
         other.append(review);
         await null;
         results.push(app.isConnected, place.innerHTML.includes('secret'));
         review.remove();
         await null;
         results.push(review.shadowRoot.childElementCount);
         place.append(review);
         await review.ready;
         results.push(review.shadowRoot.querySelectorAll('.embedded').length);",
    )
    .await;
    assert_eq!(results, ["true", "false", "0", "1"]);
}

#[wasm_bindgen_test]
async fn a_new_connection_restarts_at_the_same_view() {
    let results = page(
        "const review = document.createElement('lead-review');
         review.apiKey = 'lwk_1_a';
         place.append(review);
         await review.ready;
         review.view = 'accounts';
         await until(() => seen.sent?.some((line) => line.includes('accounts')));
         seen.sent.length = 0;
         review.baseUrl = 'https://two.example';
         review.apiKey = 'lwk_2_b';
         await review.ready;
         await until(() => seen.sent.length > 0);
         results.push(seen.sent[0], review.shadowRoot.querySelectorAll('.embedded').length);",
    )
    .await;
    let sent = "POST https://two.example/api/accounts/query Bearer lwk_2_b ";
    assert_eq!(results, [sent, "1"]);
}

#[wasm_bindgen_test]
async fn an_expired_workspace_key_is_requested_again() {
    let results = page(
        "const given = [];
         const workspace = {options: {
             baseUrl: 'https://three.example',
             getApiKey: async () => { given.push(`lwk_${given.length}_c`); return given.at(-1); },
         }};
         seen.refuses = 'lwk_0_c';
         const review = mountLeadReview(place, {workspace});
         await review.ready;
         const inside = (selector) => review.element.shadowRoot.querySelector(selector);
         await until(() => inside('[data-lead-id=l1]'));
         results.push(given, [...new Set(seen.sent.map((line) => line.split(' ')[3]))]);
         review.unmount();",
    )
    .await;
    assert_eq!(results, ["lwk_0_c,lwk_1_c", "lwk_0_c,lwk_1_c"]);
}

#[wasm_bindgen_test]
async fn a_workspace_passes_on_its_options() {
    let results = page(
        "const events = [];
         const record = (name) => (event) => events.push([name, event]);
         const workspace = {options: {
             baseUrl: 'https://three.example',
             apiKey: 'lwk_3_c',
             retry: {attempts: 1},
             jobPath: '/elsewhere/{job_id}',
             hooks: {onRequest: record('request'), onResponse: record('response')},
             headers: {'X-Team': 'sales'},
             fetch: (url, init) => {
                 events.push(['team', {url, team: init.headers['x-team']}]);
                 return fetch(new Request(url, init));
             },
         }};
         seen.fails = 'leads/query';
         const review = mountLeadReview(place, {workspace});
         await review.ready;
         const of = (name) => events.filter(([which, {url}]) => which === name && url.endsWith('leads/query')).map(([, event]) => event);
         await until(() => of('response').length === 1);
         await until(() => review.element.shadowRoot.querySelector('[role=alert]'));
         const [{operation, method, url, attempt, status, aborted, durationMs}] = of('response');
         results.push(of('request').length, operation, method, url, attempt, status, aborted, typeof durationMs);
         results.push(of('team')[0].team);
         review.unmount();",
    )
    .await;
    let wanted = [
        "1",
        "queryLeads",
        "POST",
        "https://three.example/api/leads/query",
        "1",
        "503",
        "false",
        "number",
        "sales",
    ];
    assert_eq!(results, wanted);
}

#[wasm_bindgen_test]
async fn another_copy_of_the_package_removes_its_review() {
    let results = page(
        "const other = makeElements();
         const review = other.mountLeadReview(place, {apiKey: 'lwk_1_a'});
         await review.ready;
         results.push(review.element instanceof other.LeadReviewElement, review.element.shadowRoot.childElementCount > 0);
         review.unmount();
         results.push(place.childElementCount, review.element.shadowRoot.childElementCount);",
    )
    .await;
    assert_eq!(results, ["false", "true", "0", "0"]);
}

#[wasm_bindgen_test]
async fn a_workspace_passes_on_its_connection() {
    let results = page(
        "const workspace = {options: {baseUrl: new URL('https://three.example/'), getApiKey: async () => 'lwk_3_c', tenantId: 't3'}};
         const review = mountLeadReview(place, {
             workspace,
             view: 'leads?q=x',
             onDecision: (decision) => results.push(decision.status),
             onNavigate: ({view}) => results.push(view),
         });
         await review.ready;
         const inside = (selector) => review.element.shadowRoot.querySelector(selector);
         await decide(inside, 'Reject');
         await until(() => results.length === 1);
         [...review.element.shadowRoot.querySelectorAll('[role=tab]')].at(-1).click();
         await until(() => results.length === 2);
         results.push(seen.sent[0]);
         review.unmount();
         results.push(place.childElementCount, review.element.shadowRoot.childElementCount);
         review.unmount();
         try { review.navigate('leads') } catch (error) { results.push(error.message) }",
    )
    .await;
    let wanted = [
        "rejected",
        "leads?tab=all&q=x",
        "POST https://three.example/api/leads/query Bearer lwk_3_c t3",
        "0",
        "0",
        "The review was unmounted. Mount it again.",
    ];
    assert_eq!(results, wanted);
}

#[wasm_bindgen_test]
async fn mount_errors_are_shown_in_place() {
    let results = page(
        "for (const options of [{view: 'nowhere'}, {theme: 'pink'}, {workspace: {}}]) {
             const review = mountLeadReview(place, options);
             try { await review.ready } catch (error) { results.push(error.message.slice(0, 24)) }
             const alert = review.element.shadowRoot.querySelector('[role=alert]');
             results.push(alert.firstChild.textContent);
             review.unmount();
         }",
    )
    .await;
    let alert = "The review could not be shown";
    let wanted = [
        "\"nowhere\" is not a view.",
        alert,
        "\"pink\" is not a theme. U",
        alert,
        "`workspace` is not a usa",
        alert,
    ];
    assert_eq!(results, wanted);
}

#[wasm_bindgen_test]
async fn unmounting_before_the_first_render_shows_nothing() {
    let results = page(
        "const review = mountLeadReview(place, {apiKey: 'lwk_1_a'});
         review.unmount();
         await new Promise((go) => setTimeout(go, 30));
         results.push(review.element.shadowRoot.childElementCount, seen.sent?.length ?? 0);",
    )
    .await;
    assert_eq!(results, ["0", "0"]);
}

#[wasm_bindgen_test]
async fn a_pulse_is_an_element() {
    let results = page(
        "place.innerHTML = '<account-pulse base-url=\"https://one.example\" api-key=\"lwk_1_a\" account-id=\"a/1\" theme=\"dark\"></account-pulse>';
         const pulse = place.firstChild;
         pulse.addEventListener('navigate', (event) => results.push(event.detail.view));
         await pulse.ready;
         const inside = (selector) => pulse.shadowRoot.querySelector(selector);
         (await until(() => inside('a.signal'))).click();
         await until(() => results.length === 1);
         inside('a.signal').click();
         await until(() => results.length === 2);
         results.push(seen.sent.join(), inside('.embedded').dataset.theme, pulse.accountId);
         pulse.accountId = 'a2';
         await until(() => seen.sent.length === 2);
         results.push(seen.sent[1], pulse.getAttribute('account-id'), pulse.shadowRoot.querySelectorAll('.embedded').length);
         pulse.removeAttribute('account-id');
         await until(() => pulse.shadowRoot.textContent.includes('No account chosen'));
         pulse.remove();
         await null;
         results.push(pulse.shadowRoot.childElementCount);",
    )
    .await;
    let wanted = [
        "leads?lead=l+1",
        "leads?lead=l+1",
        "GET https://one.example/api/accounts/a%2F1/pulse Bearer lwk_1_a ",
        "dark",
        "a/1",
        "GET https://one.example/api/accounts/a2/pulse Bearer lwk_1_a ",
        "a2",
        "1",
        "0",
    ];
    assert_eq!(results, wanted);
}

#[wasm_bindgen_test]
async fn a_pulse_and_a_review_work_together() {
    let results = page(
        "const workspace = {options: {baseUrl: 'https://three.example', apiKey: 'lwk_3_c'}};
         const review = mountLeadReview(place, {workspace});
         const pulse = mountAccountPulse(place, {workspace, accountId: 'a1', onNavigate: ({view}) => review.navigate(view)});
         await Promise.all([review.ready, pulse.ready]);
         const signal = () => pulse.element.shadowRoot.querySelector('a.signal');
         (await until(signal)).click();
         await until(() => review.element.view === 'leads?lead=l+1');
         results.push(review.element.view);
         pulse.unmount();
         results.push(place.childElementCount, pulse.element.shadowRoot.childElementCount);
         pulse.unmount();
         try { pulse.show('a2') } catch (error) { results.push(error.message) }
         review.unmount();",
    )
    .await;
    let wanted = [
        "leads?lead=l+1",
        "1",
        "0",
        "The pulse was unmounted. Mount it again.",
    ];
    assert_eq!(results, wanted);
}

#[wasm_bindgen_test]
async fn ready_rejects_when_unmounted_early() {
    let results = page(
        "addEventListener('unhandledrejection', (event) => results.push(`unhandled ${event.reason}`));
         const connection = { baseUrl: 'https://one.example', apiKey: 'lwk_1_a' };
         const wait = (ready) => ready.then(() => 'there', (error) => error.name);
         const first = mountLeadReview(place, connection);
         first.unmount();
         results.push(await wait(first.ready));
         // Nobody waits for this one.
         mountAccountPulse(place, connection).unmount();
         // Moved is not gone, and what comes again can be waited for again.
         const again = mountLeadReview(place, connection).element;
         const early = again.ready;
         again.remove();
         place.append(again);
         results.push(await wait(early));
         again.remove();
         await new Promise((go) => setTimeout(go, 20));
         place.append(again);
         results.push(await wait(again.ready));
         again.remove();
         await new Promise((go) => setTimeout(go, 20));",
    )
    .await;
    assert_eq!(results, ["AbortError", "there", "there"]);
}

#[wasm_bindgen_test]
async fn a_wrong_address_and_wrong_columns_are_told() {
    let results = page(
        "const wrong = mountLeadReview(place, { baseUrl: 'workspace.example', apiKey: 'k' });
         results.push(await wrong.ready.then(() => 'shown', (error) => error.message));
         wrong.unmount();
         const { warn } = console;
         const told = [];
         console.warn = (text) => told.push(text);
         const review = mountLeadReview(place, {
             baseUrl: 'https://a.example',
             apiKey: 'k',
             columns: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B', value: () => 1 }],
         });
         await until(() => told.length > 0);
         console.warn = warn;
         review.unmount();
         results.push(...told);",
    )
    .await;
    let [wrong, told] = &*results else {
        panic!("{results:?}")
    };
    assert!(wrong.contains("is not a workspace address"), "{wrong}");
    assert!(told.contains("a column needs an id"), "{told}");
}
