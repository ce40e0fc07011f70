import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, send, signedIn, told } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { startQuietServer } from './kit/machines'

/** A finance day: the channel's file comes in, what differs is decided, two people close it, and the books are even. */
test.describe.configure({ mode: 'serial' })

const { settlement: words } = catalogs.zh
const books = screenOf('xtgl/rjs').path
let server: RunningServer
let admin: Page
let run: { id: number; day: string }
let taken: Taken[]

type Taken = { no: string; refundNo: string; channelNo: string; fen: number; time: string }

/** Yesterday of the platform's WeChat number, whose bill nobody has yet, and all that it should hold. */
test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const [waiting] = await query<{ id: number; day: string }>(
    server,
    `select r.id, to_char(r.day, 'YYYY-MM-DD') as day from settlement_run r join merchant m on m.id = r.merchant_id
      where r.provider = 'wechat' and r.state = 'waiting' and m.parent_id is null order by r.day desc limit 1`,
  )
  if (!waiting) throw new Error('the demo has no day that waits for its bill')
  run = waiting
  taken = await query<Taken>(
    server,
    `select no, "refundNo", "channelNo", fen::int,
        to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as time
      from settlement_run r join settlement_channel c on c.id = r.channel_id
      join payment_account p on p.provider_account_id = c.provider_account_id
      cross join lateral (
        select attempt_no as no, '' as "refundNo", channel_no as "channelNo", paid_fen as fen, paid_at as at
          from payment_attempt where account_id = p.id and state = 'paid'
        union all select a.attempt_no, f.refund_no, coalesce(f.channel_refund_no, f.refund_no), f.amount_fen, f.ended_at
          from refund f join payment_attempt a on a.id = f.attempt_id where a.account_id = p.id and f.state = 'refunded'
      ) moved
      where r.id = $1 and (at at time zone 'Asia/Shanghai')::date = r.day order by at`,
    [run.id],
  )
  // Another pair of eyes: somebody of the platform's own finance.
  await query(
    server,
    `update app_user set merchant_id = (select id from merchant where parent_id is null) where account = 'finance'`,
  )
  admin = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await admin.context().close()
  await server.stop()
})

const yuan = (fen: number) => (fen / 100).toFixed(2)

/** WeChat's file as a person downloads it. */
function fileOf(lines: readonly Taken[]): Buffer {
  const heading = '交易时间,商户订单号,微信订单号,交易状态,订单金额,申请退款金额,手续费,商户退款单号,微信退款单号'
  const rows = lines.map(({ no, refundNo, channelNo, fen, time }) =>
    refundNo === ''
      ? [time, no, channelNo, 'SUCCESS', yuan(fen), '0.00', yuan(Math.round((fen * 6) / 1000)), '0', '0']
      : [time, no, '0', 'REFUND', '0.00', yuan(fen), yuan(-Math.round((fen * 6) / 1000)), refundNo, channelNo],
  )
  const paidFen = lines.filter(({ refundNo }) => refundNo === '').reduce((sum, { fen }) => sum + fen, 0)
  const ticked = [...rows, [String(lines.length), yuan(paidFen)]].map((cells) =>
    cells.map((cell) => `\`${cell}`).join(),
  )
  return Buffer.from([heading, ...ticked.slice(0, -1), '总交易单数,订单总金额', ticked.at(-1)].join('\r\n'))
}

async function upload(lines: readonly Taken[]): Promise<void> {
  await button(drawerOf(admin), words.upload).click()
  const file = { name: `wechat-${run.day}.csv`, mimeType: 'text/csv', buffer: fileOf(lines) }
  await formOf(admin).locator('input[type=file]').setInputFiles(file)
  await button(formOf(admin), words['upload.take']).click()
}

/** The smallest payment of the middle of the day, which no cut explains. */
const missing = (): Taken => {
  const [left] = taken
    .filter(({ refundNo, time, no }) => refundNo === '' && time.slice(11, 13) < '22' && !isRefunded(no))
    .sort((a, b) => a.fen - b.fen)
  if (!left) throw new Error('nothing was paid that day')
  return left
}
const isRefunded = (no: string) => taken.some((each) => each.no === no && each.refundNo !== '')

test('a file that lacks a payment opens a difference; the same again changes nothing, another is refused', async () => {
  const billed = taken.filter((each) => each !== missing())
  await admin.goto(`${books}?open=${run.id}`)
  await upload(billed)
  await expect(told(admin, filled(words['upload.new'], { count: billed.length }))).toBeVisible()
  const differences = drawerOf(admin).getByRole('link', { name: words['differenceKind.only_ours'] })
  await expect(differences).toHaveCount(1)
  await upload(billed)
  await expect(told(admin, words['upload.same'])).toBeVisible()
  await upload(taken)
  await expect(formOf(admin).getByRole('alert')).toHaveText(words['refusal.statement.other'])
  await formOf(admin).press('Escape')
  await expect(differences).toHaveCount(1)
})

test('the difference is a case that is decided with a reason, and the decision is in the books', async () => {
  await admin.goto(`${books}?open=${run.id}`)
  await expect(button(drawerOf(admin), words['verb.askCloseRun'])).toHaveCount(0)
  await drawerOf(admin).getByRole('link', { name: words['differenceKind.only_ours'] }).click()
  await expect(drawerOf(admin)).toContainText(missing().no)
  await button(drawerOf(admin), words['verb.decideDifference']).click()
  await field(formOf(admin), words['field.decision']).selectOption('write_off')
  await field(formOf(admin), words['field.reason']).fill('渠道确认没有此笔支付')
  await send(admin, words['verb.decideDifference'])
  await expect(drawerOf(admin).getByText(words['differenceState.decided'], { exact: true })).toBeVisible()
  await expect(drawerOf(admin)).toContainText(words['accountKind.loss'])
})

test('one person asks to close the day, another closes it: what was sold is settled, the books are even', async ({
  browser,
}) => {
  await admin.goto(`${books}?open=${run.id}`)
  await button(drawerOf(admin), words['verb.askCloseRun']).click()
  await send(admin, words['verb.askCloseRun'])
  const own = drawerOf(admin).getByRole('button', { name: words['verb.closeRun'] })
  await expect(own).toHaveAttribute('aria-disabled', 'true')
  const finance = await signedIn(browser, 'finance', server.url)
  await finance.goto(`${books}?open=${run.id}`)
  await button(drawerOf(finance), words['verb.closeRun']).click()
  await send(finance, words['verb.closeRun'])
  await expect(drawerOf(finance).getByText(words['section.settled'])).toBeVisible()
  await finance.context().close()
  await admin.goto(`${books}?part=accounts`)
  await expect(admin.getByText(words['trial.balanced'], { exact: true })).toBeVisible()
})

test('a fee is agreed from a coming day on, with what it would have cost beside it', async () => {
  await admin.goto(`${screenOf('cfgl/ptsxfsz').path}?part=fees`)
  await button(admin, words['verb.addFeeRule']).first().click()
  const form = formOf(admin)
  await field(form, words['field.subject']).selectOption('wechat')
  await field(form, words['field.ratePercent']).fill('0.38')
  await expect(form.getByRole('status', { name: words['preview.would'] })).toContainText(words['preview.all'])
  const [{ day } = { day: '' }] = await query<{ day: string }>(
    server,
    `select to_char((now() at time zone 'Asia/Shanghai')::date + 1, 'YYYY-MM-DD') as day`,
  )
  await field(form, words['field.validFrom']).fill(day)
  await field(form, words['field.reason']).fill('新合同')
  await send(admin, words['verb.addFeeRule'])
  await expect(told(admin, words['verb.addFeeRule.done'])).toBeVisible()
  await admin.goto(`${screenOf('cfgl/ptsxfsz').path}?part=fees&state=coming`)
  await admin.getByRole('table').getByRole('link').first().click()
  await expect(drawerOf(admin)).toContainText('0.38%')
  await button(drawerOf(admin), words['verb.takeBackFeeRule']).click()
  await send(admin, words['verb.takeBackFeeRule'])
  await expect(told(admin, words['verb.takeBackFeeRule.done'])).toBeVisible()
})

test('what the bank itself kept of a payout is entered beside what it got, and stands among the costs', async () => {
  const [payout] = await query<{ id: number; fen: number }>(
    server,
    `select l.id, -l.amount_fen::int as fen from statement_line l join settlement_run r on r.id = l.run_id
      join settlement_channel c on c.id = r.channel_id and c.funds_mode <> 'direct'
      where l.kind = 'fund_payout' and not exists (select 1 from bank_receipt b where b.line_id = l.id)
      order by l.amount_fen limit 1`,
  )
  if (!payout) throw new Error('the demo has no payout that the bank has not got')
  await admin.goto(`${books}?part=payouts&open=${payout.id}`)
  await button(drawerOf(admin), words['verb.addBankReceipt']).click()
  const form = formOf(admin)
  await field(form, words['field.bankNo']).fill('JN20261122')
  await field(form, words['field.amountFen']).fill(yuan(payout.fen - 2_000))
  await field(form, words['field.receivedOn']).fill(run.day)
  await send(admin, words['verb.addBankReceipt'])
  await expect(form.getByRole('alert')).toContainText(words['refusal.bankReceipt.amount'])
  await field(form, words['field.bankFeeFen']).fill('20.00')
  await send(admin, words['verb.addBankReceipt'])
  await expect(drawerOf(admin)).toContainText('¥20.00')
  await admin.goto(`${books}?part=accounts&kind=channel_fee`)
  const keptFor = admin.getByRole('cell', { name: words['accountKey.bank'], exact: true })
  await expect(admin.getByRole('row').filter({ has: keptFor })).toContainText('20.00')
})
