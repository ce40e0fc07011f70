import * as contract from '@aisle/contract/merchant/bankAccount'
import { DAY_MS, HOUR_MS } from '../calendar'
import { accountStory, heldByCompany } from '../data/bankAccounts'
import { merchants } from '../data/merchants'
import { users } from '../data/people'
import type { Past } from '../life/within'
import { randomFrom, seedOf } from '../random'

/** What merchants asked to be paid to, and what became of it. */
export async function askForAccounts({ as, at, idOf, latestMs }: Past): Promise<void> {
  for (const { merchant, author, end, daysAgo, branch = '高新支行', reason = '', place } of accountStory) {
    const [province, city] = place
    const random = randomFrom(seedOf(`${merchant}/${branch}/account`))
    const holder = merchants.find(({ code }) => code === merchant)?.name ?? merchant
    const askedMs = latestMs - daysAgo * DAY_MS
    at(askedMs)
    const { id } = await as(author, contract.draftBankAccount, {
      ...heldByCompany,
      merchantId: idOf('merchant', merchant),
      province,
      city,
      branch,
      bankCity: city,
      holder,
      bankFullName: `${heldByCompany.bank}股份有限公司${city}${branch}`,
      shortName: holder.slice(0, 6),
      storeName: `${holder.slice(0, 6)}自助售货`,
      street: `科创大道 ${random.between(10, 980)} 号`,
      contact: users.find(({ account }) => account === author)?.displayName ?? '',
      contactPhone: `0571-8${random.between(1_000_000, 9_999_999)}`,
      accountNumber: `12${random.between(100_000_000, 999_999_999)}${random.between(1000, 9999)}`,
      documentNumber: `91330${random.between(100_000_000, 999_999_999)}MA2X`,
    })
    const latest = async () => ({ id, version: (await as(author, contract.getBankAccount, { id })).version })
    if (end === 'draft') continue
    await as(author, contract.submitBankAccount, await latest())
    at(askedMs + 9 * HOUR_MS)
    if (end === 'approved') await as('admin', contract.approveBankAccount, await latest())
    if (end === 'rejected') await as('admin', contract.rejectBankAccount, { ...(await latest()), reason })
  }
}
