import type { FieldDay } from '@aisle/contract/field/visit'

/** The manifest by which a phone installs the application, and the worker that keeps its files. */
export async function install(): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/field.webmanifest'
  document.head.append(link)
  // Only on a secure page; elsewhere the application works while there is a network.
  await navigator.serviceWorker?.register('/field-worker.js', { scope: '/field' }).catch(() => undefined)
}

/** All that this page has loaded and the pictures of the day are on the phone from now on. */
export async function keepFiles(day: FieldDay): Promise<void> {
  const registration = await navigator.serviceWorker?.ready.catch(() => undefined)
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname)
  const pictures = day.products.flatMap(({ picture }) => picture ?? [])
  const files = [...new Set(['/logo.svg', '/field.webmanifest', ...loaded, ...pictures])]
  registration?.active?.postMessage({ files })
}
