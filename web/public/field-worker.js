// @ts-nocheck The checker knows what a page has, not what a worker has.
// Keeps the field application on the phone. Its data is kept by the page itself; here are only its files.
const KEPT = 'aisle-field-1'
const PAGE = '/field'
// In a cellar the network often is there and says nothing: whoever stands before a machine waits no longer than that.
const SLOW_MS = 1000
const isFile = ({ pathname }) => /^\/(assets|pictures)\/|^\/(logo\.svg|field\.webmanifest)$/.test(pathname)

addEventListener('install', (event) => {
  const ready = caches.open(KEPT).then((cache) => cache.add(new Request(PAGE, { cache: 'reload' })))
  event.waitUntil(ready.then(() => self.skipWaiting()))
})
addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

/** The page says which files it consists of; those of a version before go. */
addEventListener('message', (event) => {
  if (!Array.isArray(event.data?.files)) return
  event.waitUntil(keep(event.data.files))
})

async function keep(files) {
  const cache = await caches.open(KEPT)
  const wanted = new Set(files)
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (isFile({ pathname }) && !wanted.has(pathname)) await cache.delete(url)
  }
  for (const file of wanted) {
    if (await cache.match(file)) continue
    await cache.add(file).catch(() => undefined)
  }
}

addEventListener('fetch', (event) => {
  const { request } = event
  const address = new URL(request.url)
  if (request.method !== 'GET' || address.origin !== location.origin) return
  if (request.mode === 'navigate' && address.pathname === PAGE) event.respondWith(newest(request))
  if (isFile(address)) event.respondWith(kept(request))
})

/** The newest page where there is a network that answers in time. */
async function newest(request) {
  const cache = await caches.open(KEPT)
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(SLOW_MS) })
    if (answer.ok) await cache.put(PAGE, answer.clone())
    return answer
  } catch (error) {
    const page = await cache.match(PAGE)
    if (page) return page
    throw error
  }
}

/** What the page asks for after it has said what it consists of is kept, too. */
async function kept(request) {
  const cache = await caches.open(KEPT)
  const found = await cache.match(request)
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}
