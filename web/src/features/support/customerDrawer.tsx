import { customerFields, getCustomerCase } from '@aisle/contract/support/customer'
import { languageNames } from '@aisle/contract/kernel/text'
import { refundFields } from '@aisle/contract/refund/refund'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { Scans } from '../../shelf/scansInput'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Timeline } from '../../ui/chart/timeline'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { Candidates, OrderFacts } from './customerOrder'
import { type CustomerDetail, CustomerVerbs } from './customerVerbs'
import lined from '../../shelf/lines.module.css'
import styles from './support.module.css'

/** What a customer says, the order that it is about and what speaks for it, and what was said before. */
export function CustomerDrawer({ id }: DrawerRow) {
  const t = useText('support')
  const result = useEndpoint(getCustomerCase, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={() => t('customerCase.one', { id })}
      head={({ state, kind }) => (
        <div className="tags">
          <StateCell value={state} field={customerFields.state} t={t} />
          <StateCell value={kind} field={customerFields.kind} t={t} />
        </div>
      )}
      actions={(one) => <CustomerVerbs one={one} />}
    >
      {(one) => (
        <>
          {one.body && <p className={styles.said}>{one.body}</p>}
          <CaseFacts one={one} />
          <Section title={t('section.order')}>
            {one.order ? <OrderFacts order={one.order} /> : <p className="quiet">{t('customerCase.noOrder')}</p>}
            <Refunds one={one} />
          </Section>
          <Section title={t('section.candidates')}>
            <Candidates one={one} />
          </Section>
          {one.words.length > 0 && <Words one={one} />}
          <Others title={t('section.ofPhone')} others={one.ofPhone} />
          <Alarms one={one} />
          <Others title={t('section.ofMachine')} others={one.ofMachine} />
        </>
      )}
    </RowDrawer>
  )
}

function CaseFacts({ one }: { one: CustomerDetail }) {
  const t = useText('support')
  const { machineCode, machineName, pointName, picture, held, dueAt, closedAt, forgottenAt } = one
  return (
    <Facts
      facts={[
        { label: t('field.amountFen'), value: <Money fen={one.amountFen} /> },
        { label: t('field.happenedAt'), value: <When at={one.happenedAt} /> },
        { label: t('field.goods'), value: one.goods },
        {
          label: t('field.machineName'),
          value: (
            <>
              <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
                {machineCode}
              </ScreenLink>{' '}
              {machineName} · {pointName}
            </>
          ),
        },
        { label: t('field.merchantName'), value: one.merchantName },
        { label: t('field.phone'), value: forgottenAt ? t('customerCase.forgotten') : one.phone },
        { label: t('field.picture'), value: picture && <Scans pictures={[picture]} label={t('field.picture')} /> },
        { label: t('field.language'), value: languageNames[one.language] },
        { label: t('field.held'), value: held && t(`customerHeld.${held}`) },
        { label: t('field.assigneeName'), value: one.assigneeName },
        { label: t('field.dueAt'), value: dueAt && <When at={dueAt} /> },
        { label: t('field.createdAt'), value: <When at={one.createdAt} /> },
        { label: t('field.closedAt'), value: closedAt && <When at={closedAt} /> },
      ]}
    />
  )
}

function Refunds({ one: { refunds } }: { one: CustomerDetail }) {
  const refund = useText('refund')
  if (refunds.length === 0) return null
  return (
    <ul className={lined.lines}>
      {refunds.map(({ refundNo, amountFen, state, at }) => (
        <li key={refundNo}>
          <ScreenLink screen="jygl/tkgl" search={{ no: refundNo }}>
            {refundNo}
          </ScreenLink>
          <Money fen={amountFen} />
          <StateCell value={state} field={refundFields.state} t={refund} />
          <Ago at={at} />
        </li>
      ))}
    </ul>
  )
}

function Words({ one: { words } }: { one: CustomerDetail }) {
  const t = useText('support')
  return (
    <Section title={t('section.customerWords')}>
      <Timeline
        moments={words.map(({ id, who, body, at }) => ({
          key: String(id),
          tone: who ? 'busy' : 'warn',
          title: who ? t('customerCase.said', { who }) : t('customerCase.added'),
          detail: body,
          when: <Ago at={at} />,
        }))}
      />
    </Section>
  )
}

function Others({ title, others }: { title: string; others: CustomerDetail['ofPhone'] }) {
  const t = useText('support')
  if (others.length === 0) return null
  return (
    <Section title={title}>
      <ul className={lined.lines}>
        {others.map(({ id, kind, state, amountFen, machineName, createdAt }) => (
          <li key={id}>
            <ScreenLink screen="shkf/khfk" search={{ open: String(id) }}>
              {`#${id} ${t(`customerKind.${kind}`)}`}
            </ScreenLink>
            <Money fen={amountFen} />
            <StateCell value={state} field={customerFields.state} t={t} />
            <span>{machineName}</span>
            <Ago at={createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Alarms({ one: { alarms, machineId } }: { one: CustomerDetail }) {
  const t = useText('support')
  const words = useText('alarm')
  if (alarms.length === 0) return null
  return (
    <Section title={t('section.alarms')}>
      <ul className={lined.lines}>
        {alarms.map(({ id, cause, openedAt }) => (
          <li key={id}>
            <ScreenLink screen="shj/jqbj" search={{ machineId: String(machineId), open: String(id) }}>
              {words.any(`cause.${cause}`)}
            </ScreenLink>
            <Ago at={openedAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
