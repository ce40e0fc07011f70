import {
  acceptDispute,
  disputeFields,
  getDispute,
  getSettlement,
  listDisputes,
  refuseDispute,
  withdrawDispute,
} from '@aisle/contract/settlement/batch'
import { listSettlements } from '@aisle/contract/settlement/books'
import { disputeState } from '@aisle/contract/settlement/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink, ScreenLinks } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

type Detail = OutputOf<typeof getDispute>
const shown = [listDisputes, getDispute, listSettlements, getSettlement] as const

/** What the merchant says, what the platform answers, and where it is put right. */
export function DisputeDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getDispute, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ orderNo }) => orderNo}
      head={({ state, amountFen }) => (
        <div className="tags">
          <strong>
            <Money fen={amountFen} />
          </strong>
          <StateCell value={state} field={disputeFields.state} t={t} />
        </div>
      )}
      actions={(dispute) => <Verbs dispute={dispute} />}
    >
      {(dispute) => (
        <>
          <p>{dispute.reason}</p>
          <Section title={t('dispute.facts')}>
            <Told dispute={dispute} />
          </Section>
          <Section title={t('dispute.putRight')}>
            <small className="quiet">{t('dispute.putRight.help')}</small>
            <ScreenLinks
              to={[
                ['jygl/ddgl', { orderNo: dispute.orderNo }],
                ['xtgl/rjs', { part: 'differences', orderNo: dispute.orderNo }],
              ]}
            />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Told({ dispute }: { dispute: Detail }) {
  const t = useText('settlement')
  const { settlementId, businessDay, answeredAt, correction } = dispute
  return (
    <Facts
      facts={[
        { label: t('field.merchantName'), value: dispute.merchantName },
        {
          label: t('dispute.batch'),
          value: (
            <ScreenLink screen="cwgl/cwjs" search={{ open: String(settlementId) }}>
              {`${businessDay} ${t(`method.${dispute.method}`)}`}
            </ScreenLink>
          ),
        },
        { label: t('field.raisedBy'), value: dispute.raisedBy },
        { label: t('field.raisedAt'), value: <When at={dispute.raisedAt} /> },
        { label: t('field.answer'), value: dispute.answer },
        { label: t('field.correction'), value: correction && t(`correction.${correction}`) },
        { label: t('field.answeredBy'), value: dispute.answeredBy },
        { label: t('field.answeredAt'), value: answeredAt && <When at={answeredAt} /> },
      ]}
    />
  )
}

function Verbs({ dispute }: { dispute: Detail }) {
  const t = useText('settlement')
  const { id, state, isPlatform, isMine } = dispute
  const isWaiting = disputeState.can(state, 'accept')
  const common = { t, target: { id }, changes: shown, fields: disputeFields }
  const why = !isWaiting
    ? t('refusal.settlementDispute.state')
    : t(isMine ? 'refusal.settlementDispute.samePerson' : 'refusal.settlementDispute.notPlatform')
  const mayAnswer = isWaiting && isPlatform && !isMine
  return (
    <>
      <CommandButton
        {...common}
        endpoint={acceptDispute}
        verb="acceptDispute"
        tone="main"
        vars={{ why }}
        isEnabled={mayAnswer}
      />
      <CommandButton {...common} endpoint={refuseDispute} verb="refuseDispute" vars={{ why }} isEnabled={mayAnswer} />
      {!isPlatform && (
        <CommandButton
          {...common}
          endpoint={withdrawDispute}
          verb="withdrawDispute"
          vars={{ why }}
          isEnabled={isWaiting}
        />
      )}
    </>
  )
}
