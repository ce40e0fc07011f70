/** PostgreSQL stores neither NUL nor half a character (a lone surrogate); a text with one is refused at the edge. */
export const isStorable = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text)
