// Runs where the client runs, in the page or in Node: makes one call after the other's example and
// tells what came of it, as plain data.

export function playAll(face, cells) {
  return Promise.all(cells.map((cell) => play(face, cell)));
}

async function play(face, { operation, args, create, options }) {
  const said = [];
  const hear = (event) => said.push(event);
  const hooks = { onRequest: hear, onResponse: hear, onRetry: hear, onGate: hear };
  const ws = await face.Workspace.create({ ...create, hooks });
  let chunk;
  // A change of many tells of a failed request in passing, and ends with what became of each lead.
  const watch = operation === "updateLeads" ? { onProgress: ({ error }) => { chunk = error; } } : {};
  const from = performance.now();
  const call = ws[operation](...args, { ...options, ...watch });
  const [value, thrown] = await call.then((value) => [value, chunk], (error) => [undefined, error]);
  const ms = performance.now() - from;
  ws.dispose();
  return { value, error: thrown && plain(face, thrown), said: JSON.stringify(said), ms };
}

// An error with everything that anybody could print of it.
export function plain(face, error) {
  return {
    ...JSON.parse(JSON.stringify(error)),
    isA: ["WorkspaceError", error.name].every((name) => error instanceof face[name]),
    text: [error.message, error.stack, error.cause?.stack, JSON.stringify(error)].join("\n"),
  };
}
