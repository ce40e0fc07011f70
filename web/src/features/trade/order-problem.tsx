import { Icon } from '../../ui/icons'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import type { OrderDetail } from './order-drawer'

/** Why a person should look at this order, what is owed, and what to do. */
export function ProblemNote({ order: { problem, dueBackFen } }: { order: OrderDetail }) {
  const t = useText('trade')
  if (!problem) return null
  return (
    <section className="problem" aria-label={t('field.problem')}>
      <Icon name="alert" size={18} />
      <div>
        <p>
          <strong>{t(`problem.${problem}.help`)}</strong>
        </p>
        <p>{t(`problem.${problem}.do`)}</p>
        {dueBackFen > 0 && (
          <p>
            {t('field.dueBackFen')}{' '}
            <strong>
              <Money fen={dueBackFen} />
            </strong>
          </p>
        )}
      </div>
    </section>
  )
}
