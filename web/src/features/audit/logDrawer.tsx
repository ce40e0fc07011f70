import { getLog, logFields } from '@aisle/contract/audit/log'
import { changesOf } from '@aisle/contract/kernel/changes'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { type Text, useText } from '../../ui/text'
import styles from './audit.module.css'

type Entry = OutputOf<typeof getLog>

/** Who did what to what, from where, and what it was before. */
export function LogDrawer({ id }: DrawerRow) {
  const t = useText('audit')
  const result = useEndpoint(getLog, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ action }) => t.any(`action.${action}`)}
      head={(entry) => entry.outcome && <StateCell value={entry.outcome} field={logFields.outcome} t={t} />}
    >
      {(entry) => (
        <>
          <Section title={t('log.facts')}>
            <Facts facts={factsOf(entry, t)} />
          </Section>
          {entry.kind === 'operation' && (
            <Section title={t('log.changes')}>
              <Changes entry={entry} t={t} />
            </Section>
          )}
        </>
      )}
    </RowDrawer>
  )
}

const factsOf = (entry: Entry, t: Text<'audit'>) => [
  { label: t('field.at'), value: <When at={entry.at} /> },
  { label: t('field.account'), value: whoOf(entry, t) },
  { label: t('field.merchantName'), value: entry.merchantName },
  { label: t('field.objectId'), value: `${t.any(`object.${entry.objectKind}`)} ${entry.objectId}` },
  { label: t('field.ip'), value: entry.ip },
  { label: t('log.agent'), value: entry.agent },
  { label: t('log.traceId'), value: entry.traceId },
  { label: t('log.sealedAt'), value: sealText(entry, t) },
]

/** What a job did at its hour has no person; who asked for it stands among the changes. */
const whoOf = ({ account, displayName, kind }: Entry, t: Text<'audit'>) =>
  kind === 'operation' && account === '' ? t('log.bySystem') : [account, displayName].filter(Boolean).join(' · ')

function sealText({ kind, sealedAt }: Entry, t: Text<'audit'>) {
  if (kind === 'signIn') return null
  return sealedAt ? <When at={sealedAt} /> : t('log.notSealed')
}

function Changes({ entry, t }: { entry: Entry; t: Text<'audit'> }) {
  const changes = changesOf(entry.before, entry.after)
  if (changes.length === 0) return <p className="quiet">{t('log.noChanges')}</p>
  return (
    <table className={styles.beforeAfter}>
      <thead>
        <tr>
          <th scope="col">{t('log.fieldName')}</th>
          <th scope="col">{t('log.before')}</th>
          <th scope="col">{t('log.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">
              <code>{field}</code>
            </th>
            <td>{before ?? '–'}</td>
            <td>{after ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
