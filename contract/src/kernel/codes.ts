/** Codes as a person types or pastes them: with commas, spaces or new lines between, each once. */
export const codesIn = (text: string): string[] => [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))]
