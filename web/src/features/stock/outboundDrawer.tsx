import * as contract from '@aisle/contract/stock/outbound'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { ProductLink } from '../../shelf/productLink'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { OutboundPaper } from './outboundPaper'
import { type OutboundDetail, OutboundVerbs } from './outboundVerbs'

/** What is wanted, which batches go, and what its replenisher has now. */
export function OutboundDrawer({ id }: DrawerRow) {
  const t = useText('stock')
  const result = useEndpoint(contract.getOutboundOrder, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, replenisherName }) => `${no} · ${replenisherName}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={contract.outboundFields.state} t={t} />
        </div>
      )}
      actions={(order) => (
        <>
          <OutboundVerbs order={order} />
          <OutboundPaper order={order} />
        </>
      )}
    >
      {(order) => (
        <>
          <Wanted order={order} />
          {order.picks.length > 0 && <Picks order={order} />}
          {order.inBag.length > 0 && <InBag order={order} />}
          <OutboundFacts order={order} />
        </>
      )}
    </RowDrawer>
  )
}

function Wanted({ order: { lines } }: { order: OutboundDetail }) {
  const t = useText('stock')
  return (
    <Section title={t('outbound.wanted')}>
      <ul className={lined.lines}>
        {lines.map(({ line, productId, productName, specification, wanted, picked, free }) => (
          <li key={line}>
            <span className={lined.what}>
              <ProductLink id={productId}>{`${productName} ${specification}`.trim()}</ProductLink>
              {free !== null && <small className="quiet">{t('outbound.free', { count: countText(free) })}</small>}
            </span>
            {(free ?? picked) < wanted && (
              <Tag tone="warn" word={t('outbound.short', { count: countText(wanted - (free ?? picked)) })} />
            )}
            <span className={lined.count}>{countText(wanted)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Lot = OutboundDetail['inBag'][number]

const LotName = ({ productName, specification, batch, expiresOn }: Lot) => (
  <span className={lined.what}>
    {`${productName} ${specification}`.trim()}
    {batch && (
      <small className="quiet">
        {batch}
        {expiresOn && (
          <>
            {' '}
            · <Day on={expiresOn} />
          </>
        )}
      </small>
    )}
  </span>
)

/** Of a draft what should be taken; later what was, and what of it came back. */
function Picks({ order: { picks, state } }: { order: OutboundDetail }) {
  const t = useText('stock')
  const isTaken = contract.outboundState.is(state, 'taken')
  return (
    <Section title={t(isTaken ? 'outbound.picks' : 'outbound.proposed')}>
      <ul className={lined.lines}>
        {picks.map((pick) => (
          <li key={`${pick.productId}/${pick.batch}`}>
            <LotName {...pick} />
            {pick.returned > 0 && <Tag tone="idle" word={t('outbound.back', { count: countText(pick.returned) })} />}
            <span className={lined.count}>{countText(pick.quantity)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function InBag({ order: { inBag, replenisherName } }: { order: OutboundDetail }) {
  const t = useText('stock')
  return (
    <Section title={t('outbound.inBag', { name: replenisherName })}>
      <ul className={lined.lines}>
        {inBag.map((lot) => (
          <li key={`${lot.productId}/${lot.batch}`}>
            <LotName {...lot} />
            <span className={lined.count}>{countText(lot.quantity)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function OutboundFacts({ order }: { order: OutboundDetail }) {
  const t = useText('stock')
  const { pickedAt, loadedAt, endedAt, state, warehouseId } = order
  return (
    <Section title={t('transfer.facts')}>
      <Facts
        facts={[
          {
            label: t('field.warehouseName'),
            value: (
              <ScreenLink screen="jxcgl/ccgl" search={{ open: String(warehouseId) }}>
                {order.warehouseName}
              </ScreenLink>
            ),
          },
          {
            label: t('field.valueFen'),
            value: contract.outboundState.is(state, 'out') && <Money fen={order.valueFen} />,
          },
          { label: t('field.maker'), value: order.maker },
          { label: t('field.madeAt'), value: <When at={order.madeAt} /> },
          { label: t('field.picker'), value: order.picker },
          { label: t('field.pickedAt'), value: pickedAt && <When at={pickedAt} /> },
          { label: t('field.loader'), value: order.loader },
          { label: t('field.loadedAt'), value: loadedAt && <When at={loadedAt} /> },
          { label: t('field.ender'), value: order.ender },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
          { label: t('field.reason'), value: order.endReason },
          { label: t('field.note'), value: order.note },
          { label: t('field.merchantName'), value: order.merchantName },
        ]}
      />
    </Section>
  )
}
