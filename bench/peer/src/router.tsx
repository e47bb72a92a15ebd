import { createRootRoute, createRoute, createRouter, Link, Outlet, redirect } from "@tanstack/react-router";

import { LeadsPage } from "./leads/LeadsPage";

const rootRoute = createRootRoute({
  component: () => (
    <>
      <header className="topbar">
        <strong>Workspace</strong>
        <nav>
          <Link to="/leads">Leads</Link>
        </nav>
      </header>
      <Outlet />
    </>
  ),
});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/leads" });
  },
});

const leadsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leads",
  component: LeadsPage,
});

export const router = createRouter({ routeTree: rootRoute.addChildren([indexRoute, leadsRoute]) });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
