import { playState } from '@aisle/contract/lottery/states'
import { faultOf } from '@aisle/contract/lottery/draw'
import { useState } from 'react'
import { countText } from '../../admin/fields/number'
import { When } from '../../admin/fields/time'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import type { PlayDetail } from './playDrawer'
import styles from './lottery.module.css'

/** Everything that the draw was made of; recomputed here, in the reader's own browser. */
export function DrawProof({ play }: { play: PlayDetail }) {
  const t = useText('lottery')
  const [isChecked, setChecked] = useState(false)
  const { seedHash, seed, number, oddsPermille, committedAt, revealedAt, state } = play
  const fault = faultOf({ ...play, isWon: playState.is(state, 'won') })
  return (
    <Section title={t('section.proof')} note={t('section.proof.help')}>
      <Facts
        facts={[
          {
            label: t('field.number'),
            value: t('number.text', { number: countText(number ?? 0), odds: countText(oddsPermille) }),
          },
          { label: t('field.committedAt'), value: <When at={committedAt} /> },
          { label: t('field.seedHash'), value: <code className={styles.code}>{seedHash}</code> },
          { label: t('field.revealedAt'), value: revealedAt ? <When at={revealedAt} /> : t('seed.hidden') },
          { label: t('field.seed'), value: seed && <code className={styles.code}>{seed}</code> },
        ]}
      />
      <p className={styles.check}>
        <button type="button" className="btn" aria-disabled={seed === null} onClick={() => setChecked(seed !== null)}>
          {t('proof.check')}
          {seed === null && <small> · {t('seed.hidden')}</small>}
        </button>
        {isChecked && (
          <span role="status">
            <Tag tone={fault ? 'bad' : 'good'} word={fault ? t(`proof.fault.${fault}`) : t('proof.holds')} />
          </span>
        )}
      </p>
    </Section>
  )
}
