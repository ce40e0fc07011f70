/** How the pages look: on a phone first, light and dark as it is set. */
export const sheet = `
:root {
  --ink: #1a1d21; --quiet: #5b6470; --paper: #fff; --ground: #f4f5f7; --line: #c9ced6;
  --main: #0b5cad; --on: #fff; --bad: #b3261e; --good: #176b3a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8eaed; --quiet: #a3abb6; --paper: #1d2025; --ground: #131518; --line: #444b55;
    --main: #8ab8f0; --on: #10243c; --bad: #ff9b92; --good: #7fd6a0;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main, footer { max-width: 34rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: .25rem 0 .5rem; }
h2 { font-size: 1.05rem; margin: 0 0 .75rem; }
p { margin: .25rem 0 .75rem; }
a { color: var(--main); }
.quiet { color: var(--quiet); }
.name { overflow-wrap: anywhere; }
.sheet {
  padding: 1rem; margin: 1rem 0; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem;
}
.says { border-left: .25rem solid var(--main); }
.says p, .says ul { margin-bottom: 0; }
.good { border-left-color: var(--good); }
.bad { border-left-color: var(--bad); }
.asked { padding: 0 1rem; }
.asked summary { padding: .75rem 0; cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
.asked details { border-top: 1px solid var(--line); }
.asked details summary { font-weight: 400; }
.asked p { white-space: pre-line; overflow-wrap: anywhere; color: var(--quiet); }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0; }
legend, .label { display: block; font-weight: 600; padding: 0; margin-bottom: .35rem; }
.label small { font-weight: 400; color: var(--quiet); }
.field { margin: 0 0 1.25rem; }
.choice {
  display: flex; align-items: center; gap: .75rem; min-height: 3rem; padding: .5rem .75rem; margin-bottom: .5rem;
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer;
}
.choice:has(:checked) { border-color: var(--main); box-shadow: inset 0 0 0 1px var(--main); }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--main); }
[type=text], [type=tel], [type=datetime-local], textarea {
  width: 100%; min-height: 3rem; padding: .6rem .75rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--line); border-radius: .5rem;
}
[type=file] { width: 100%; min-height: 3rem; font: inherit; color: inherit; }
[aria-invalid=true] { border-color: var(--bad); }
.wrong { color: var(--bad); margin: .25rem 0 0; }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
button {
  width: 100%; min-height: 3.25rem; font: inherit; font-weight: 600; color: var(--on); background: var(--main);
  border: 0; border-radius: .5rem; cursor: pointer;
}
button[disabled] { opacity: .6; }
ol { list-style: none; margin: 0; padding: 0; }
ol li { border-left: 2px solid var(--line); padding: 0 0 1rem 1rem; overflow-wrap: anywhere; }
ol li p { margin: 0; white-space: pre-wrap; }
time { color: var(--quiet); font-size: .875rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
nav a, nav span { display: inline-block; padding: .6rem 0; }
`
