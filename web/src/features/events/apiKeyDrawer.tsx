import { apiKeyFields, getApiKey } from '@aisle/contract/events/apiKey'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { Ago, Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import { ApiKeyVerbs } from './apiKeyVerbs'

type Detail = OutputOf<typeof getApiKey>

/** What it may do, page by page, and who answers for it. */
export function ApiKeyDrawer({ id }: DrawerRow) {
  const t = useText('events')
  const result = useEndpoint(getApiKey, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={apiKeyFields.state} t={t} />
        </div>
      )}
      actions={(apiKey) => <ApiKeyVerbs apiKey={apiKey} />}
    >
      {(apiKey) => (
        <>
          <KeyFacts apiKey={apiKey} />
          <Scopes scopes={apiKey.scopes} />
        </>
      )}
    </RowDrawer>
  )
}

function KeyFacts({ apiKey }: { apiKey: Detail }) {
  const t = useText('events')
  const { lastUsedAt, revokedAt } = apiKey
  return (
    <Section title={t('section.apiKey')}>
      <Facts
        facts={[
          { label: t('field.begins'), value: <code>{apiKey.begins}…</code> },
          { label: t('field.merchantName'), value: apiKey.merchantName },
          { label: t('field.answersBy'), value: apiKey.answersBy },
          { label: t('field.callsAMinute'), value: countText(apiKey.callsAMinute) },
          { label: t('field.expiresOn'), value: <Day on={apiKey.expiresOn} /> },
          { label: t('field.lastUsedAt'), value: lastUsedAt && <Ago at={lastUsedAt} /> },
          { label: t('field.createdAt'), value: <When at={apiKey.createdAt} /> },
          { label: t('field.createdBy'), value: apiKey.createdBy },
          { label: t('field.revokedAt'), value: revokedAt && <When at={revokedAt} /> },
          { label: t('field.revokedBy'), value: apiKey.revokedBy },
        ]}
      />
    </Section>
  )
}

function Scopes({ scopes }: Pick<Detail, 'scopes'>) {
  const t = useText('events')
  const titles = [...new Set(scopes.map(({ title }) => title))]
  return (
    <Section title={t('section.scopes')}>
      <Facts
        facts={titles.map((title) => ({
          label: title,
          value: scopes
            .filter((scope) => scope.title === title)
            .map(({ action, isHeld }) => (isHeld ? action : `${action} (${t('apiKey.notHeld')})`))
            .join(' · '),
        }))}
      />
    </Section>
  )
}
