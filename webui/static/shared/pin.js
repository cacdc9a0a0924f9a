// The host's PIN: a form for it, on the host's page and in the scoreboard's question who called.
import { unlock } from "./api.js";
import { el } from "./dom.js";

let count = 0;

// A form that unlocks this browser; `opened()` once it has. After too many wrong PINs it waits as long as the table asks.
export function pinForm(words, opened) {
  const id = `pin-${++count}`;
  const input = el("input", "pin");
  input.id = id;
  input.type = "password";
  input.inputMode = "numeric";
  input.autocomplete = "off";
  input.maxLength = 12;
  input.required = true;
  input.setAttribute("aria-describedby", `${id}-error`);
  const label = el("label", "field-label", words);
  label.htmlFor = id;
  const submit = el("button", "button primary", "Unlock");
  submit.type = "submit";
  const refused = el("p", "refused");
  refused.id = `${id}-error`;
  refused.setAttribute("role", "alert");
  const form = el("form", "pin-form", label, el("div", "pin-row", input, submit), refused);
  form.noValidate = true;
  let wait = null;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    if (!input.value) {
      refused.textContent = "Type the host’s PIN first.";
      input.focus();
      return;
    }
    submit.disabled = true;
    const answer = await unlock(input.value);
    submit.disabled = false;
    input.value = "";
    if (answer.ok) {
      refused.textContent = "";
      opened();
      return;
    }
    refused.textContent = answer.error;
    input.focus();
    if (answer.wait > 0) hold(Math.ceil(answer.wait));
  });

  function hold(seconds) {
    clearInterval(wait);
    submit.disabled = true;
    const left = () => (submit.textContent = seconds > 0 ? `Wait ${seconds} s` : "Unlock");
    left();
    wait = setInterval(() => {
      seconds -= 1;
      left();
      if (seconds > 0) return;
      clearInterval(wait);
      submit.disabled = false;
      refused.textContent = "";
    }, 1000);
  }

  return form;
}
