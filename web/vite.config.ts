import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Built into the Python package, which serves it; nothing is inlined, since the pages forbid inline scripts.
export default defineConfig({
  plugins: [svelte()],
  build: { outDir: "../src/upcard/web", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { "/api": "http://localhost:8000", "/ws": { target: "ws://localhost:8000", ws: true } } },
  test: { include: ["src/**/*.test.ts"], css: true }, // css: a test reads the style sheets
});
