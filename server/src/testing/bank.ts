import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { openBankStandIn } from '../../../fleet/src/provider/bank'
import type { Services } from '../kernel/context'
import { seal } from '../kernel/seal'
import { inserted } from './inserted'

/** A bank that listens on this machine and knows everybody by one secret. */
export async function openTestBank(secret: string) {
  const bank = openBankStandIn(() => secret)
  const listener = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const said = bank.hear(request.headers, body)
      // Done, and nobody hears of it.
      return said ? response.writeHead(said.status).end(said.body) : request.socket.destroy()
    })
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo
  return Object.assign(bank, {
    address: `http://127.0.0.1:${port}/bank`,
    close: () => new Promise((done) => listener.close(done)),
  })
}

type Approved = { merchantId: number; askedBy: number; approvedBy: number; at: Date }

/** Of a merchant, approved then; money may go to it a day later. */
export async function addBankAccount({ db, keys }: Services, of: Approved): Promise<number> {
  const { merchantId, askedBy, approvedBy, at } = of
  const id = await inserted(
    db,
    sql`insert into bank_account (merchant_id, state, holder_kind, holder, bank, bank_city, branch, bank_full_name,
        short_name, store_name, province, city, street, business_type, contact, contact_phone, document_kind,
        account_tail, document_tail, authors, created_at, requested_by, requested_at, reviewed_by, reviewed_at)
      values (${merchantId}, 'approved', 'company', 'Ours Ltd', 'Bank', 'City', 'North', 'Bank of the City', 'Ours',
        'Ours', 'P', 'C', 'S', 'Vending', 'Li', '0571-88886666', 'business_licence', '4321', 'MA2X',
        array[${askedBy}::bigint], ${at}, ${askedBy}, ${at}, ${approvedBy}, ${at})`,
  )
  await sql`update bank_account set sealed = ${seal(keys, `bank-account:${id}`, '120987654321\nMA2X')}
    where id = ${id}`.execute(db)
  return id
}
