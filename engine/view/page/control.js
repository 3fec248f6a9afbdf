// SPDX-License-Identifier: Apache-2.0
// Control of a run, if it is allowed, and its parameters: a table, or a form that restarts the run.
import {order} from './talk.js';
import {byId, format, make, named, say, withUnit} from './text.js';

const FAR = 1e12;    // greater bounds are not shown
const SHORT = 22;    // characters that a narrow field shows
const SLIDER = 1000; // steps of a slider; a range with more whole numbers gets none

// Asks in a dialog of the page; resolves to true for yes.
export function confirmed(text, yes) {
  const dialog = byId('ask');
  say(byId('ask-text'), text);
  say(byId('ask-yes'), yes);
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), {once: true});
  });
}

// Returns an element with an input and its unit, on one line.
function besideUnit(input, unit) {
  const amount = make('span', 'amount');
  amount.append(input, make('span', 'quiet', unit));
  return amount;
}

export class Control {
  // notice(text): shows the user a message
  constructor(notice) {
    this.notice = notice;
    this.state = 'running';
    this.anew = -Infinity; // when the run was last restarted
    this.stopped = false;
    const press = (id, act) => byId(id).addEventListener('click', act);
    press('go', () => this.order({do: {paused: 'go', ended: 'run_on'}[this.state] ?? 'pause'}));
    press('one', () => this.order({do: 'step'}));
    press('checkpoint', () => this.order({do: 'checkpoint'}));
    press('run-to', () => this.runTo());
    press('stop', async () => {
      const words = 'Stop the run here? It ends as with Ctrl-C, with its last checkpoint if it has a folder for one.';
      if (await confirmed(words, 'Stop')) this.stopped = await this.order({do: 'stop'});
    });
    byId('pace').addEventListener('change', (event) => {
      const {value} = event.target;
      if (event.target.checkValidity()) this.order({do: 'rate', steps_a_second: value === '' ? null : Number(value)});
      else this.notice('Steps a second are a number above 0, or nothing for all there can be.');
    });
    byId('target').addEventListener('keydown', (event) => { if (event.key === 'Enter') this.runTo(); });
    byId('controls').addEventListener('submit', (event) => event.preventDefault());
    byId('form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.restart();
    });
  }

  // Sends an order; resolves to whether the run accepts it.
  async order(what) {
    try {
      await order(what);
      this.notice('');
      return true;
    } catch (error) {
      this.notice(error instanceof TypeError ? 'The run does not answer.' : `The run says: ${error.message}`);
      return false;
    }
  }

  runTo() {
    const field = byId('target');
    if (field.value === '' || !field.checkValidity()) this.notice('The step to run to is a whole number.');
    else this.order({do: 'run_to', step: Number(field.value)});
  }

  // Takes an answer of /run/numbers.
  take({state, step, last_step: last, no_run_on: reason}) {
    this.state = state;
    const ended = state === 'ended', over = ended && Boolean(reason), more = Math.max(1, last - this.model.first_step);
    say(byId('go'), {paused: 'Go', ended: 'Run on'}[state] ?? 'Pause');
    byId('go').title = over ? reason : ended ? `Goes on to step ${format(step + more)}` : '';
    for (const button of byId('controls').querySelectorAll('button, input')) button.disabled = ended;
    for (const id of ['go', 'target', 'run-to']) byId(id).disabled = over;
    byId('one').disabled = state !== 'paused';
    byId('go').classList.toggle('main', state === 'paused' || (ended && !over));
  }

  // Takes a new run: shows its controls and parameters.
  open(model) {
    this.model = model;
    this.anew = -Infinity;
    this.stopped = false;
    byId('controls').hidden = !model.control;
    const form = byId('form');
    byId('parameters').hidden = !model.parameters.length && !model.control;
    this.fields = [];
    form.replaceChildren();
    if (model.control) this.form(form, model);
    else form.append(this.table(model.parameters));
  }

  // Returns a table of parameters, for a run without control.
  table(parameters) {
    const table = make('table');
    for (const {name, value, unit, help, given, by_default: words} of parameters) {
      const row = make('tr'), head = make('th'), own = !given && words;
      const cell = make('td', '', own ? words : withUnit(format(value ?? 'not set'), unit));
      head.append(named(name));
      head.scope = 'row';
      if (help) cell.append(make('div', 'quiet', help));
      row.append(head, cell);
      table.append(row);
    }
    return table;
  }

  // Fills the form that restarts the run.
  form(form, model) {
    for (const parameter of model.parameters) form.append(this.field(parameter));
    const seed = {name: 'seed', type: 'int', value: model.seed, low: 0, high: null, help: 'of the random numbers'};
    if (model.seed !== null) form.append(this.field(seed, true));
    const start = make('button', 'main', 'Start again'), as = make('button', '', 'As it was'), bar = make('div', 'bar');
    start.type = 'submit';
    as.type = 'reset';
    bar.append(start, as);
    for (const {input} of this.fields) input.disabled = Boolean(model.restart);
    for (const input of form.querySelectorAll('input[type=range]')) input.disabled = Boolean(model.restart);
    start.disabled = as.disabled = Boolean(model.restart);
    form.append(make('p', 'quiet', model.restart ? `It cannot be started again: ${model.restart}`
      : 'Nothing changes the run under way. This ends it and starts another with these values.'), bar);
  }

  // Returns a row of the form: label, input, slider and help.
  field(parameter, seed = false) {
    const {name, type, value, low, high, unit, help} = parameter;
    const row = make('div', 'field'), label = make('label'), inputs = make('div', 'inputs');
    label.append(named(name));
    const input = this.input(parameter);
    input.id = `${seed ? 'seed' : 'parameter'}-${name}`;
    label.htmlFor = input.id;
    inputs.append(unit ? besideUnit(input, unit) : input);
    row.classList.toggle('wide', Boolean(input.placeholder) || type === 'text');
    const slider = this.slider(parameter, input);
    if (slider) inputs.append(slider);
    row.append(label, inputs);
    const from = Number.isFinite(low) && low > -FAR, to = Number.isFinite(high) && high < FAR;
    const bounds = from && to ? `${format(low)} to ${format(high)}`
      : from ? `at least ${format(low)}` : to ? `at most ${format(high)}` : '';
    const empty = input.placeholder?.length > SHORT ? `if empty: ${input.placeholder}` : '';
    const words = [help, seed || type === 'text' ? '' : bounds, empty].filter(Boolean).join('; ');
    if (words) {
      const note = make('span', 'quiet', words);
      note.id = `${input.id}-help`;
      input.setAttribute('aria-describedby', note.id);
      row.append(note);
    }
    this.fields.push({name, type, input, seed, before: input.placeholder ? '' : value});
    return row;
  }

  // Makes the input of a parameter. Its placeholder says what the model does if the parameter is not set.
  input({type, value, low, high, choices, given = true, by_default: words = ''}) {
    const own = !given && words;
    if (type === 'choice') {
      const select = make('select');
      for (const choice of choices ?? []) {
        const option = make('option', '', choice);
        option.value = choice;
        option.defaultSelected = choice === value;
        select.append(option);
      }
      return select;
    }
    const input = make('input');
    input.type = type === 'bool' ? 'checkbox' : type === 'text' ? 'text' : 'number';
    if (type === 'bool') {
      input.defaultChecked = Boolean(value);
      return input;
    }
    if (input.type === 'number') {
      input.step = type === 'int' ? '1' : 'any';
      if (Number.isFinite(low)) input.min = low;
      if (Number.isFinite(high)) input.max = high;
      input.required = !own;
    }
    if (own) input.placeholder = input.title = words;
    input.defaultValue = own ? '' : value ?? '';
    return input;
  }

  // Makes a slider next to a number whose range is short enough. Each follows the other.
  slider({type, name, low, high}, input) {
    if ((type !== 'int' && type !== 'float') || input.placeholder) return null;
    if (!Number.isFinite(low) || !Number.isFinite(high) || high <= low) return null;
    if (type === 'int' && high - low > SLIDER) return null;
    const slider = make('input');
    slider.type = 'range';
    slider.min = low;
    slider.max = high;
    slider.step = type === 'int' ? 1 : (high - low) / SLIDER;
    slider.defaultValue = input.defaultValue;
    slider.setAttribute('aria-label', `${name}, slider`);
    slider.addEventListener('input', () => { input.value = Number(Number(slider.value).toPrecision(6)); });
    input.addEventListener('input', () => { slider.value = input.value; });
    return slider;
  }

  // Restarts the run. Sends only changed values, so that defaults remain defaults. Sends seeds beyond 2^53 as text.
  async restart() {
    const what = {do: 'restart', parameters: {}};
    for (const {name, type, input, seed, before} of this.fields) {
      const number = Number(input.value), exact = type === 'float' || Number.isSafeInteger(number);
      const numeric = type === 'int' || type === 'float';
      if (input.placeholder && input.value === '') continue;
      const value = type === 'bool' ? input.checked : numeric && exact ? number : input.value;
      if (seed) what.seed = value;
      else if (value !== (before ?? '')) what.parameters[name] = value;
    }
    if (await this.order(what)) this.anew = performance.now();
  }
}
