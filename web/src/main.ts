import { mount } from "svelte";
import App from "./App.svelte";
import { loadLanguage } from "./messages/language";
import "./fonts.css";
import "./tokens.css";
import "./app.css";

const target = document.getElementById("app");
// Without the other language's file the page is shown in English.
if (target) void loadLanguage().then(show, show);

function show(): void {
  if (target) mount(App, { target });
}

// Shows a page of its own when there is no connection; it stores nothing else. Browsers have it only on secure pages.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
