import { Icon } from '../../ui/icons'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import type { OrderDetail } from './orderDrawer'
import styles from './order.module.css'

/** Why a person should look at this order, what is owed or under way, and what to do. */
export function ProblemNote({ order: { problem, dueBackFen, refundingFen } }: { order: OrderDetail }) {
  const t = useText('trade')
  if (!problem) return null
  // A refund stands for all that is owed: whoever paid once more would pay twice.
  const isUnderWay = dueBackFen === 0 && refundingFen > 0
  const amounts = [['dueBackFen', dueBackFen] as const, ['refundingFen', refundingFen] as const]
  return (
    <section className={styles.problem} aria-label={t('field.problem')}>
      <Icon name="alert" size={18} />
      <div>
        <p>
          <strong>{t(`problem.${problem}.help`)}</strong>
        </p>
        <p>{isUnderWay ? t('problem.refunding.do') : t(`problem.${problem}.do`)}</p>
        {amounts.map(
          ([name, fen]) =>
            fen > 0 && (
              <p key={name}>
                {t(`field.${name}`)}{' '}
                <strong>
                  <Money fen={fen} />
                </strong>
              </p>
            ),
        )}
      </div>
    </section>
  )
}
