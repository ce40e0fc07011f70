import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  getRecall,
  listRecallOrders,
  recallFields,
  recallState,
  soldOrderFields,
} from '@aisle/contract/medicine/recall'
import { countText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { Tabs } from '../../ui/control/tabs'
import { Facts, Figures } from '../../ui/facts'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { Story } from './batchDrawer'
import { Listed } from './listed'
import { RecallTargets } from './recallTargets'
import { RecallVerbs } from './recallVerbs'
import styles from './batch.module.css'

export type RecallDetail = OutputOf<typeof getRecall>

/** How far it is, place by place; who had it; who did what. */
export function RecallDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('medicine')
  const result = useEndpoint(getRecall, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, productName, number }) => `${no} ${productName} ${number}`}
      head={({ state, class: grade, isDrill, isOverdue }) => (
        <div className="tags">
          <StateCell value={state} field={recallFields.state} t={t} />
          <StateCell value={grade} field={recallFields.class} t={t} />
          {isDrill && <Tag tone="warn" word={t('field.isDrill')} />}
          {isOverdue && <Tag tone="bad" word={t('recall.overdue')} />}
        </div>
      )}
      actions={(recall) => <RecallVerbs recall={recall} />}
    >
      {(recall) => (
        <>
          {recall.isDrill && <p className={styles.drill}>{t('recall.drillNote')}</p>}
          <Progress recall={recall} />
          <Tabs
            label={recall.no}
            current={tab}
            onPick={pickTab}
            tabs={[
              { key: 'targets', label: t('tab.targets'), panel: <RecallTargets recall={recall} /> },
              { key: 'orders', label: t('tab.orders'), panel: <Orders recall={recall} /> },
              { key: 'facts', label: t('tab.facts'), panel: <RecallFacts recall={recall} /> },
              { key: 'story', label: t('tab.story'), panel: <Story story={recall.story} /> },
            ]}
          />
        </>
      )}
    </RowDrawer>
  )
}

const counts = ['targets', 'pending', 'notified', 'acknowledged', 'pulled', 'unreachable'] as const

function Progress({ recall }: { recall: RecallDetail }) {
  const t = useText('medicine')
  if (recallState.is(recall.state, 'draft')) return null
  return <Figures facts={counts.map((name) => ({ label: t(`field.${name}`), value: countText(recall[name]) }))} />
}

function Orders({ recall: { id } }: { recall: RecallDetail }) {
  const t = useText('medicine')
  return (
    <Listed list={listRecallOrders} query={{ recallId: id }} none={t('orders.none')}>
      {(orders) => (
        <ul className={lined.lines}>
          {orders.map((order) => (
            <li key={order.id}>
              <span className={styles.place}>
                <ScreenLink screen="jygl/ddgl" search={{ orderNo: order.orderNo }}>
                  {order.orderNo}
                </ScreenLink>
                <small className="quiet">
                  <MachineLink code={order.machineCode} /> {order.pointName} · <When at={order.soldAt} />
                </small>
              </span>
              <span className={lined.count}>{countText(order.pieces)}</span>
              <StateCell value={order.contact} field={soldOrderFields.contact} t={t} />
              {order.contactCode && <code>{order.contactCode}</code>}
              {order.isInferred && <Tag tone="idle" word={t('field.isInferred')} />}
            </li>
          ))}
        </ul>
      )}
    </Listed>
  )
}

function RecallFacts({ recall }: { recall: RecallDetail }) {
  const t = useText('medicine')
  const { batchId, number, dueAt, startedAt, closedAt } = recall
  return (
    <Facts
      facts={[
        {
          label: t('field.number'),
          value: (
            <ScreenLink screen="ypgl/yppc" search={{ open: String(batchId) }}>
              {number}
            </ScreenLink>
          ),
        },
        { label: t('field.merchantName'), value: recall.merchantName },
        { label: t('field.reason'), value: recall.reason },
        { label: t('field.dueAt'), value: dueAt && <When at={dueAt} /> },
        { label: t('field.createdAt'), value: <When at={recall.createdAt} /> },
        { label: t('field.createdBy'), value: recall.createdBy },
        { label: t('field.startedAt'), value: startedAt && <When at={startedAt} /> },
        { label: t('field.startedBy'), value: recall.startedBy },
        { label: t('field.closedAt'), value: closedAt && <When at={closedAt} /> },
        { label: t('field.closedBy'), value: recall.closedBy },
        { label: t('field.summary'), value: recall.summary },
        { label: t('field.bookPieces'), value: countText(recall.bookPieces) },
        { label: t('field.pulledPieces'), value: countText(recall.pulledPieces) },
        { label: t('field.soldPieces'), value: countText(recall.soldPieces) },
        { label: t('field.returnedPieces'), value: countText(recall.returnedPieces) },
      ]}
    />
  )
}
