import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  getMarkdown,
  listMarkdowns,
  markdownFields,
  markdownState,
  stopMarkdown,
} from '@aisle/contract/promotion/markdown'
import { CommandButton } from '../../admin/commandButton'
import { countText, percentText } from '../../admin/fields/number'
import { MachineLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import styles from './markdown.module.css'

type Detail = OutputOf<typeof getMarkdown>

/** Where it holds now, at which price, and what went because of it. */
export function MarkdownDrawer({ id }: DrawerRow) {
  const t = useText('promotion')
  const result = useEndpoint(getMarkdown, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ productName, paidPercent }) => `${productName} · ${percentText(paidPercent)}`}
      head={({ state }) => <StateCell value={state} field={markdownFields.state} t={t} />}
      actions={({ state, productName, slotCount }) => (
        <CommandButton
          endpoint={stopMarkdown}
          verb="stopMarkdown"
          t={t}
          tone="danger"
          target={{ id }}
          vars={{ name: productName, count: slotCount }}
          isEnabled={markdownState.can(state, 'stop')}
          changes={[listMarkdowns, getMarkdown]}
        />
      )}
    >
      {(markdown) => (
        <>
          <Known markdown={markdown} />
          <Slots markdown={markdown} />
        </>
      )}
    </RowDrawer>
  )
}

function Known({ markdown }: { markdown: Detail }) {
  const t = useText('promotion')
  const { batch, expiresOn, endsAt, endedAt, machineCount } = markdown
  return (
    <Section title={t('markdown.facts')}>
      <Facts
        facts={[
          { label: t('field.productCode'), value: markdown.productCode },
          { label: t('field.batch'), value: batch ?? t('markdown.allBatches') },
          { label: t('field.expiresOn'), value: expiresOn && <Day on={expiresOn} /> },
          { label: t('field.startsAt'), value: <When at={markdown.startsAt} /> },
          { label: t('field.endsAt'), value: endsAt ? <When at={endsAt} /> : t('markdown.untilGone') },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
          {
            label: t('field.machineCount'),
            value: machineCount > 0 ? countText(machineCount) : t('markdown.everywhere'),
          },
          { label: t('markdown.sold'), value: countText(markdown.soldPieces) },
          { label: t('markdown.forgone'), value: <Money fen={markdown.forgoneFen} /> },
          { label: t('field.reason'), value: markdown.reason },
          { label: t('field.createdBy'), value: markdown.createdBy },
          { label: t('field.createdAt'), value: <When at={markdown.createdAt} /> },
          { label: t('field.merchantName'), value: markdown.merchantName },
        ]}
      />
    </Section>
  )
}

function Slots({ markdown: { slots } }: { markdown: Detail }) {
  const t = useText('promotion')
  return (
    <Section title={t('markdown.slots')} note={t('markdown.slots.help')}>
      {slots.length === 0 && <p className="quiet">{t('markdown.slots.none')}</p>}
      <ul className={styles.slots}>
        {slots.map((slot) => (
          <li key={slot.id}>
            <span>
              <MachineLink code={slot.machineCode} /> {slot.slotCode}
            </span>
            <span className="quiet">{t('markdown.pieces', { count: slot.pieces })}</span>
            <span>
              {slot.struckFen !== null && (
                <s className="quiet">
                  <Money fen={slot.struckFen} />
                </s>
              )}{' '}
              <Money fen={slot.priceFen} />
            </span>
            {slot.isBelowCost && <Tag tone="warn" word={t('markdown.belowCost')} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}
