// Minifies a style sheet in place.

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { transformSync } from "esbuild";

const [, , file] = argv;
const { code } = transformSync(readFileSync(file, "utf8"), {
  loader: "css",
  minify: true,
  charset: "utf8",
  legalComments: "none",
});
writeFileSync(file, code);
