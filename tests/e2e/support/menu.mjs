// The workspace menu in the top bar, and the sign-in page.

export const menuButton = (page) => page.getByRole("button", { name: /, menu$/ });
export const menu = (page) => page.getByRole("menu");

export async function openMenu(page) {
  await menuButton(page).click();
  await menu(page).waitFor();
}

// Picks an item of the menu.
export async function fromMenu(page, name) {
  await openMenu(page);
  await menu(page).getByRole("menuitem", { name }).click();
}

export async function openSettings(page) {
  await fromMenu(page, "Settings");
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
}

// The page of a visit without a key.
export const signInPage = (page) => page.locator("main.sign-in");

export async function signIn(page, key) {
  await signInPage(page).getByLabel("API key").fill(key);
  await signInPage(page).getByRole("button", { name: "Open the workspace" }).click();
}
