// SPDX-License-Identifier: Apache-2.0
// The page of a run: requests its model, then its numbers and its picture until it ends.
import {askJson, Refused, seen, sleep} from './talk.js';
import {byId, format, say} from './text.js';
import {Control} from './control.js';
import {Numbers} from './numbers.js';
import {Picture} from './picture.js';
import {Place} from './place.js';
import {listen} from './pointer.js';
import {copyText, savePng} from './save.js';
import {Layers} from './layers.js';
import {Follow} from './follow.js';
import {Arrows} from './arrows.js';
import {Draw} from './draw.js';
import {Film} from './film.js';
import {Graph} from './graph.js';

const PAUSE = 100, AGAIN = 1000; // milliseconds between requests for numbers, and after a failure

const notice = byId('notice');
let model = null;   // the run that is shown
let stale = true;   // another run may have replaced it
let waiting = null; // aborts the request for numbers
let lost = '';      // the message about a lost connection
let ended = '';

// Shows a line below the heading. '' removes it, or restores the message about an ended run.
function tell(text) {
  say(notice, text || ended);
  notice.hidden = !text && !ended;
}

// Sets the message about an ended run; '' removes it.
function setEnded(words) {
  if (words === ended) return;
  ended = words;
  tell('');
}

const numbers = new Numbers();
const control = new Control((text) => {
  tell(text || ended);
  if (!text) waiting?.abort('order'); // requests the new state after an order
});
const picture = new Picture({
  frame: () => { place.renew(); follow.renew(); arrows.renew(); draw.renew(); graph.renew(); place.mark(); },
  moved: () => { place?.mark(); arrows?.renew(); },
  failed: (error) => {
    if (error instanceof Refused && error.status !== 403 && error.status !== 503) tell(`No picture: ${error.message}.`);
  },
  newRun: () => { stale = true; waiting?.abort('run'); },
});
const place = new Place(picture), layers = place.layers = new Layers();
const follow = new Follow(picture, place), arrows = new Arrows(picture, () => place.mark());
const draw = new Draw(picture, place, {notice: tell, drawn: ({command}) => {
  if (command) say(byId('command'), model.command = command);
  picture.look();
  place.renew();
}});
const graph = new Graph(picture, place);
const film = new Film(picture, tell, () => `${model?.model ?? 'run'}-${picture.frame?.step ?? 0}`);
for (const layer of [graph, arrows, draw, follow]) layers.add(layer);

// Shows another run.
function open(next) {
  model = next;
  setEnded('');
  document.title = model.title || model.model;
  say(byId('title'), model.title ? `${model.model}: ${model.title}` : model.model);
  const size = ({extent, dimensions}) => extent.slice(0, dimensions).map((n) => format(n)).join(' \u00d7 ');
  const plural = model.threads === 1 ? '' : 's';
  const threads = model.device === 'cpu' && model.threads ? `${model.threads} thread${plural}` : '';
  const facts = [...model.spaces.map((space) => `${space.name} ${size(space)}`),
    model.worlds > 1 ? `${model.worlds} worlds` : '', model.seed === null ? '' : `seed ${model.seed}`,
    `on ${model.device}`, threads,
    `mass-engine ${model.engine}`];
  say(byId('facts'), facts.filter(Boolean).join(' \u00b7 '));
  say(byId('command'), model.command);
  numbers.open(model);
  control.open(model);
  place.forget();
  picture.open(model);
  picture.follow();
  for (const part of [graph, follow, arrows, draw]) part.open(model);
}

// Reports a failure. Returns true if it is useless to try again.
function failed(error) {
  if (error instanceof Refused && error.status === 403) {
    tell('The run does not know this page: open the whole address that it printed, with what follows the #.');
    return true;
  }
  if (control.stopped) {
    picture.ended = true;
    tell('The run was stopped.');
    say(byId('state'), 'stopped');
    return true;
  }
  if (ended && !(error instanceof Refused)) {
    picture.ended = true;
    tell(`${ended} Nobody answers any more: what is here stays.`);
    return true;
  }
  if (performance.now() - control.anew < 10000) lost = 'The run is started again.';
  else lost = error instanceof Refused && error.status !== 503 ? `The run answers with an error: ${error.message}.`
    : 'The connection to the run is lost, or the run has ended. Trying again; the picture is the last one that came.';
  tell(lost);
  say(byId('state'), lost.endsWith('again.') ? 'starting' : 'no connection');
  return false;
}

// Reports that the run has ended. It may still answer for a while.
function end({step, no_run_on: why}) {
  setEnded(`The run has ended at step ${format(step)}.${why && model.control ? ` It cannot run on: ${why}.` : ''}`);
}

// Takes a new end of the run, and the command for it.
async function prolong(last) {
  model.last_step = last;
  model.command = (await askJson('model')).command;
  say(byId('command'), model.command);
}

// Opens the run that answers, unless it is the one that is shown.
async function renew() {
  const next = await askJson('model');
  stale = false;
  if (model && next.run === model.run && next.command === model.command && next.seed === model.seed) return;
  open(next);
}

// Requests numbers again and again, until the run or the page ends.
async function followNumbers() {
  let after = null;
  for (;;) {
    await seen();
    try {
      if (stale) {
        await renew();
        after = null;
      }
      waiting = new AbortController();
      const query = {after, state: after === null ? null : control.state, log: numbers.logged ?? 0, run: model.run,
        world: model.worlds > 1 ? picture.worlds.first : null};
      numbers.of(query.world);
      const answer = await askJson('numbers', query, waiting.signal);
      if (lost) tell(ended);
      lost = '';
      if (!answer) continue;
      stale = answer.run !== model.run;
      if (stale) continue;
      after = answer.step;
      numbers.take(answer);
      control.take(answer);
      draw.take(answer);
      if (answer.last_step !== model.last_step) await prolong(answer.last_step);
      if (answer.state === 'ended') end(answer);
      else setEnded('');
      await sleep(PAUSE);
    } catch (error) {
      after = null;
      if (error === 'order' || error === 'run') continue;
      if (failed(error)) return;
      stale = true;
      await sleep(performance.now() - control.anew < 10000 ? PAUSE : AGAIN);
    }
  }
}

listen(picture, place);
byId('world').addEventListener('change', () => waiting?.abort('order')); // bins and keys change with the world
byId('over').addEventListener('submit', (event) => event.preventDefault());
byId('save-png').addEventListener('click', () =>
  savePng(picture.graph ? byId('marks') : picture.canvas, `${model?.model ?? 'run'}-${picture.frame?.step ?? 0}.png`));
byId('copy').addEventListener('click', async () => {
  say(byId('copy'), await copyText(byId('command')) ? 'Copied' : 'Selected');
  setTimeout(() => say(byId('copy'), 'Copy'), 1500);
});
followNumbers();
