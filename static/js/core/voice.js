/** Reads aloud, where the device can (speech synthesis), in the viewer's language. */

export const canSpeak = () => "speechSynthesis" in globalThis;

/** @param {string} words @param {string} language */
export function speak(words, language) {
  if (!canSpeak() || !words) return;
  const said = new SpeechSynthesisUtterance(words);
  said.lang = language;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
