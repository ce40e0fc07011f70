import { addWebhook } from '@aisle/contract/events/webhook'
import { addIntegration, enableIntegration, rotateIntegrationSecret } from '@aisle/contract/merchant/integration'
import { DAY_MS } from './calendar'
import { feeding, hook, integrations, shipping } from './data/integrations'
import type { Past } from './life/within'
import { idOf, type Ids } from './people/people'

/** With as many calls as were made by them. */
export async function addIntegrations({ as, latestMs, tx }: Past, merchants: Ids, machine?: string): Promise<void> {
  const seeds = machine === undefined ? integrations : [...integrations, shipping(machine), feeding(machine)]
  for (const [
    index,
    { merchant, machine: machineCode = null, expiresInDays, state, useCount, ...seed },
  ] of seeds.entries()) {
    const days = expiresInDays === null ? null : new Date(latestMs + expiresInDays * DAY_MS)
    const about = {
      merchantId: idOf(merchants, merchant),
      machineCode,
      expiresOn: days?.toISOString().slice(0, 10) ?? null,
    }
    const contractNumber = `HT-2026-${String(101 + index * 7)}`
    const { id } = await as('admin', addIntegration, { ...seed, ...about, contractNumber })
    await tx.updateTable('integrationConfig').set({ useCount }).where('id', '=', id).execute()
    if (seed.childClass === 'event_feed')
      await as('admin', addWebhook, { ...hook, kinds: [...hook.kinds], configId: id })
    if (state !== 'enabled') continue
    await as('admin', rotateIntegrationSecret, { id })
    await as('admin', enableIntegration, { id })
  }
}
