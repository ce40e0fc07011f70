import { screenAt } from '@aisle/contract/screens'

/** Where the manual opens beside a page; for one that it has nothing of, at its beginning. */
export const manualAt = (pathname: string): string => {
  const screen = screenAt(pathname)
  return screen ? `/manual?screen=${screen.key}` : '/manual'
}
