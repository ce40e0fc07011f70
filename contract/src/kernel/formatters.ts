/** Making a formatter of `Intl` costs a hundred times what using it does, and a table has hundreds of cells. */
function madeOnce<O extends object, F>(make: (locale: string, options: O | undefined) => F) {
  const made = new Map<string, F>()
  return (locale: string, options?: O): F => {
    const key = options ? `${locale} ${JSON.stringify(options)}` : locale
    const known = made.get(key)
    if (known) return known
    const formatter = make(locale, options)
    made.set(key, formatter)
    return formatter
  }
}

export const numberFormat = madeOnce(
  (locale, options: Intl.NumberFormatOptions | undefined) => new Intl.NumberFormat(locale, options),
)

export const dateTimeFormat = madeOnce(
  (locale, options: Intl.DateTimeFormatOptions | undefined) => new Intl.DateTimeFormat(locale, options),
)

export const relativeTimeFormat = madeOnce(
  (locale, options: Intl.RelativeTimeFormatOptions | undefined) => new Intl.RelativeTimeFormat(locale, options),
)
