import { addApiKey, revokeApiKey } from '@aisle/contract/events/apiKey'
import { addWebhook } from '@aisle/contract/events/webhook'
import { addIntegration, enableIntegration, rotateIntegrationSecret } from '@aisle/contract/merchant/integration'
import { apiKeys, feeding, hook, integrations, shipping } from './data/integrations'
import type { Past } from './life/within'

/** With as many calls as were made by them. */
export async function addIntegrations({ as, day, idOf, tx }: Past, machine?: string): Promise<void> {
  const seeds = machine === undefined ? integrations : [...integrations, shipping(machine), feeding(machine)]
  for (const [index, { merchant, machine: machineCode = null, state, useCount, ...seed }] of seeds.entries()) {
    const { expiresInDays, ...known } = seed
    const expiresOn = expiresInDays === null ? null : day(expiresInDays)
    const contractNumber = `HT-2026-${String(101 + index * 7)}`
    const about = { merchantId: idOf('merchant', merchant), machineCode, expiresOn, contractNumber }
    const { id } = await as('admin', addIntegration, { ...known, ...about })
    await tx.updateTable('integrationConfig').set({ useCount }).where('id', '=', id).execute()
    if (seed.childClass === 'event_feed')
      await as('admin', addWebhook, { ...hook, kinds: [...hook.kinds], configId: id })
    if (state !== 'enabled') continue
    await as('admin', rotateIntegrationSecret, { id })
    await as('admin', enableIntegration, { id })
  }
  for (const { merchant, isRevoked, lastsDays, ...seed } of apiKeys) {
    const about = { merchantId: idOf('merchant', merchant), expiresOn: day(lastsDays) }
    const { id } = await as('admin', addApiKey, { ...seed, ...about, scopes: [...seed.scopes] })
    if (isRevoked) await as('admin', revokeApiKey, { id })
  }
}
