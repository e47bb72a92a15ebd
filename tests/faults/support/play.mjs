// Runs where the client runs, in the page or in Node: makes the cells' calls and returns their outcomes as plain
// data.

export function playAll(face, cells) {
  return Promise.all(cells.map((cell) => play(face, cell)));
}

async function play(face, { operation, args, create, options }) {
  const said = [];
  const hear = (event) => said.push(event);
  const hooks = { onRequest: hear, onResponse: hear, onRetry: hear, onGate: hear };
  const logger = { error: hear, warn: hear, info: hear, debug: hear };
  const ws = await face.Workspace.create({ ...create, hooks, logger, logLevel: "debug" });
  let chunk;
  // A bulk update reports a failed request to `onProgress`, and then resolves with an outcome for each lead.
  const watch = operation === "updateLeads" ? { onProgress: ({ error }) => { chunk = error; } } : {};
  const from = performance.now();
  const call = ws[operation](...args, { ...options, ...watch });
  const [value, thrown] = await call.then((value) => [value, chunk], (error) => [undefined, error]);
  const ms = performance.now() - from;
  ws.dispose();
  return { value, error: thrown && plain(face, thrown), said: JSON.stringify(said), ms };
}

// Converts an error to plain data, including all text that could be logged.
export function plain(face, error) {
  return {
    ...JSON.parse(JSON.stringify(error)),
    isA: ["WorkspaceError", error.name].every((name) => error instanceof face[name]),
    text: [error.message, error.stack, error.cause?.stack, JSON.stringify(error)].join("\n"),
  };
}
