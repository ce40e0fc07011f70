import type Sharp from 'sharp'

let loaded: Promise<typeof Sharp> | undefined

/** With the first picture: a server that starts has machines waiting for it. */
export function loadSharp(): Promise<typeof Sharp> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  // One thread a picture: the machines' traffic is served by the same processors.
  sharp.concurrency(1)
  sharp.cache(false)
  // libvips reads dozens of formats; what is not read here can't be attacked here. Nobody's svg but our own is read.
  sharp.block({ operation: ['VipsForeignLoad'] })
  const read = ['Jpeg', 'Png', 'Webp', 'Svg'].map((format) => `VipsForeignLoad${format}Buffer`)
  sharp.unblock({ operation: read })
  return sharp
}
