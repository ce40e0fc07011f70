/** The package draws a given text when called, which its types leave out. */
type Draw = (
  text: string,
  options: { noise: number; color: boolean; background: string; width: number; height: number },
) => string

/** The code as strokes without any text in them. Programs can read it too, so it slows guessing and no more. */
export async function pictureOf(code: string): Promise<string> {
  // With its font when it is first needed: a server that starts has machines waiting for it.
  const { default: svgCaptcha } = await import('svg-captcha')
  const draw = svgCaptcha as unknown as Draw
  const svg = draw(code, { noise: 3, color: true, background: '#f4f5f7', width: 120, height: 40 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
