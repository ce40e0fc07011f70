/** Codes as a person types or pastes them: with commas, spaces or new lines between, each once. */
export const codesIn = (text: string): string[] => [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))]

/**
 * How codes are written that are read aloud and typed on a machine. Of the characters that people take for each other
 * (0 and O, 1, I and L, 2 and Z, 5 and S, 8 and B, U and V) none is used.
 */
export const CODE_ALPHABET = '34679ACDEFGHJKMNPQRTWXY'

/** As such a code is kept: without the spaces and dashes that people put between. */
export const plainCode = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '')
