// SPDX-License-Identifier: Apache-2.0
// Saves files for the user, and copies text to the clipboard.

// Returns a name that every file system accepts.
const plain = (name) => name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '') || 'mass-engine';

// Saves a file under a plain form of the name.
export function saveBlob(name, blob) {
  const link = document.createElement('a'), address = URL.createObjectURL(blob);
  link.href = address;
  link.download = plain(name);
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export const save = (name, type, text) => saveBlob(name, new Blob([text], {type}));

// Does nothing if the browser makes no image.
export function savePng(canvas, name) {
  canvas.toBlob((blob) => { if (blob) saveBlob(name, blob); }, 'image/png');
}

// Copies an element's text and returns true. If the clipboard refuses, selects it for the user to copy.
export async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return false;
  }
}
