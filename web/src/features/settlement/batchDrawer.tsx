import { getSettlement } from '@aisle/contract/settlement/batch'
import { settlementFields } from '@aisle/contract/settlement/books'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Entries } from '../../shelf/entries'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { BatchDisputes } from './batchDisputes'
import { BatchLines } from './batchLines'
import { BatchVerbs, StatementButtons } from './batchVerbs'
import { StatementPaperButton } from './statementPaper'
import styles from './settlement.module.css'

export type BatchDetail = OutputOf<typeof getSettlement>

/** What a merchant was settled at once: its sum, its lines, what was posted, and whether the merchant agrees. */
export function BatchDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getSettlement, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ businessDay, merchantName, method }) => `${businessDay} ${merchantName} · ${t(`method.${method}`)}`}
      head={(batch) => (
        <div className="tags">
          <strong>
            <Money fen={batch.netFen} />
          </strong>
          <StateCell value={batch.state} field={settlementFields.state} t={t} />
          {batch.light && <StateCell value={batch.light} field={settlementFields.light} t={t} />}
          {batch.disputes > 0 && <Tag tone="warn" word={t('batch.disputes', { count: countText(batch.disputes) })} />}
        </div>
      )}
      actions={(batch) => <BatchVerbs batch={batch} />}
    >
      {(batch) => (
        <>
          <Sum batch={batch} />
          <Where batch={batch} />
          <Section title={t('batch.statement')} note={t('batch.lines', { count: countText(batch.lines) })}>
            <p className={styles.batchHash}>
              SHA-256 <code>{batch.hash}</code>
            </p>
            <small className="quiet">{t('batch.hash.help')}</small>
            <span className="tags">
              <StatementButtons id={batch.id} />
              <StatementPaperButton batch={batch} />
            </span>
          </Section>
          <Section title={t('batch.disputed')}>
            <BatchDisputes id={batch.id} />
          </Section>
          <Section title={t('batch.items')} note={t('batch.items.help')}>
            <BatchLines id={batch.id} />
          </Section>
          <Section title={t('section.entries')}>
            <Entries entries={batch.entries} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** Gross to net, and beside it what the ledger has. */
function Sum({ batch }: { batch: BatchDetail }) {
  const t = useText('settlement')
  const lines = [
    ['grossFen', batch.grossFen],
    ['refundFen', -batch.refundFen],
    ['channelFeeFen', -batch.channelFeeFen],
    ['functionFeeFen', -batch.functionFeeFen],
    ['taxFen', -batch.taxFen],
    ['splitFen', -batch.splitFen],
  ] as const
  const isTied = batch.ledgerFen === batch.netFen
  return (
    <table className={styles.bookTable}>
      <tbody>
        {lines.map(([name, fen]) => (
          <tr key={name}>
            <th scope="row">{t(`field.${name}`)}</th>
            <td>
              <Money fen={fen} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">
            {t('field.netFen')} <Tag tone={isTied ? 'good' : 'bad'} word={t(isTied ? 'tie.yes' : 'tie.no')} />
          </th>
          <td>
            <Money fen={batch.netFen} />
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

function Where({ batch }: { batch: BatchDetail }) {
  const t = useText('settlement')
  const { runId, runDay, openCount, confirmedAt, merchantId } = batch
  return (
    <Section title={t('batch.where')}>
      <Facts
        facts={[
          { label: t('field.fundsMode'), value: t.any(`fundsMode.${batch.fundsMode}.help`) },
          {
            label: t('batch.balance'),
            value: (
              <ScreenLink screen="cfgl/shyecx" search={{ open: String(merchantId) }}>
                {t('batch.toBalance')}
              </ScreenLink>
            ),
          },
          { label: t('field.postedAt'), value: <When at={batch.postedAt} /> },
          {
            label: t('batch.run'),
            value:
              runId === null ? (
                t('batch.noRun')
              ) : (
                <>
                  <ScreenLink screen="xtgl/rjs" search={{ open: String(runId) }}>
                    {runDay ?? String(runId)}
                  </ScreenLink>{' '}
                  {openCount > 0 && t('batch.open', { count: countText(openCount) })}
                </>
              ),
          },
          {
            label: t('batch.confirmed'),
            value: confirmedAt && (
              <>
                {batch.confirmedBy ?? t('batch.byItself')} · <When at={confirmedAt} />
              </>
            ),
          },
          { label: t('batch.lapsesOn'), value: confirmedAt === null && <Day on={batch.lapsesOn} /> },
        ]}
      />
    </Section>
  )
}
