/** Codes as a person types or pastes them: with commas, spaces or new lines between, each once. */
export const codesIn = (text: string): string[] => [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))]

/** Of codes that are read aloud and typed: none of 0 and O, 1, I and L, 2 and Z, 5 and S, 8 and B, U and V. */
export const CODE_ALPHABET = '34679ACDEFGHJKMNPQRTWXY'
export const plainCode = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '')
