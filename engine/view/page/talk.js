// SPDX-License-Identifier: Apache-2.0
// Requests to the run, with the token from the page's address after '#', which is sent nowhere else.
const token = location.hash.slice(1);

export class Refused extends Error {
  constructor(status, text) {
    super(text || `status ${status}`);
    this.status = status;
  }
}

// Returns the answer to GET /run/WHAT?QUERY, or null if nothing is new. Throws Refused on any other status, and a
// TypeError if there is no answer.
async function ask(what, query, signal) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== null && value !== undefined) words.set(name, value);
  const address = `/run/${what}?${words}`.replace(/\?$/, '');
  const answer = await fetch(address, {headers: {Authorization: 'Bearer ' + token}, signal, cache: 'no-store'});
  if (answer.status === 204) return null;
  if (!answer.ok) throw new Refused(answer.status);
  return answer;
}

// Return the answer as JSON, and as bytes; null if nothing is new. They throw as ask does.
export async function askJson(what, query = {}, signal = undefined) {
  const answer = await ask(what, query, signal);
  return answer && answer.json();
}

export async function askBytes(what, query, signal) {
  const answer = await ask(what, query, signal);
  return answer && answer.arrayBuffer();
}

// Asks the run to do something, and returns its answer. Throws Refused, with the run's reason, if it does not.
export async function order(what) {
  const answer = await fetch('/run/control', {
    method: 'POST', body: JSON.stringify(what), cache: 'no-store',
    headers: {Authorization: 'Bearer ' + token, 'Content-Type': 'application/json'},
  });
  if (answer.ok) return answer.json();
  let words = null;
  try { words = (await answer.json()).error; } catch { /* there is only a status */ }
  throw new Refused(answer.status, words);
}

export const sleep = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

// Resolves once the page is visible: a hidden page requests nothing.
export function seen() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', function look() {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    });
  });
}
