import { type Answer, type Core, pay, type Request } from './core'
import { yuan } from './time'

/** What the scanned code leads to: a page with one button, and the call behind it. */
export function payPage(core: Core, { method, path }: Request): Answer {
  const trade = core.truth.findByToken(path.split('/').at(-1) ?? '')
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  if (!trade) return { status: 404, headers, body: page('这个付款码不存在 · No such payment') }
  if (method !== 'POST')
    return { status: 200, headers, body: page(`¥ ${yuan(trade.amountFen)}`, trade.state === 'waiting') }
  const refused = pay(core, trade)
  const said = refused === null ? '已付款 · Paid' : refused === 'paid' ? '已付过款 · Already paid' : '已关闭 · Closed'
  return { status: refused === null ? 200 : 409, headers, body: page(said) }
}

const page = (text: string, canPay = false): string => `<!doctype html>
<html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>模拟付款 · Stand-in payment</title>
<style>body{font:1.2rem system-ui;display:grid;place-content:center;gap:1rem;height:90vh;text-align:center}
button{font:inherit;padding:.8rem 2rem;border:0;border-radius:.5rem;background:#1677ff;color:#fff}</style>
<p>模拟渠道，不动真钱 · A stand-in: no money moves</p><h1>${text}</h1>
${canPay ? '<form method="post"><button>付款 · Pay</button></form>' : ''}</html>`
