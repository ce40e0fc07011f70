import { isLogicalNo, isPhysicalNo, linesIn, MOST_ISSUED, rangeOf, textOf } from '@aisle/contract/member/cardIssue'
import { useState } from 'react'
import { controlProps, type InputProps } from '../../admin/form/input'
import { useText } from '../../ui/text'
import styles from './member.module.css'

/** A card a line, typed, read by the reader or pasted from a sheet; a run of them is filled in from its first. */
export function LinesInput(props: InputProps) {
  const { onChange } = props
  const t = useText('member')
  const [text, setText] = useState('')
  const [first, setFirst] = useState({ physicalNo: '', logicalNo: '' })
  const [count, setCount] = useState('')
  const take = (typed: string) => {
    setText(typed)
    onChange(linesIn(typed))
  }
  const lines = linesIn(text)
  const wrong = lines.filter((each) => !isPhysicalNo(each.physicalNo) || !isLogicalNo(each.logicalNo)).length
  const many = Number(count)
  const canFill = isPhysicalNo(first.physicalNo) && isLogicalNo(first.logicalNo) && many >= 1 && many <= MOST_ISSUED
  const box = (name: 'physicalNo' | 'logicalNo') => (
    <input
      aria-label={t(`issue.first.${name}`)}
      placeholder={t(`issue.first.${name}`)}
      className="input-code"
      value={first[name]}
      onChange={({ target }) => setFirst({ ...first, [name]: target.value.trim() })}
    />
  )
  return (
    <div className={styles.lines}>
      <textarea
        {...controlProps(props)}
        rows={6}
        className="input-code"
        spellCheck={false}
        placeholder={'0a1b2c3d K000001 M00000001'}
        value={text}
        onChange={({ target }) => take(target.value)}
      />
      <small className="quiet" role="status">
        {t('issue.lines', { count: lines.length })}
        {wrong > 0 && <span className="fault"> · {t('issue.wrong', { count: wrong })}</span>}
      </small>
      <fieldset className={styles.range}>
        <legend>{t('issue.range')}</legend>
        {box('physicalNo')}
        {box('logicalNo')}
        <input
          aria-label={t('issue.count')}
          placeholder={t('issue.count')}
          inputMode="numeric"
          value={count}
          onChange={({ target }) => setCount(target.value.trim())}
        />
        <button type="button" className="btn" disabled={!canFill} onClick={() => take(textOf(rangeOf(first, many)))}>
          {t('issue.fill')}
        </button>
      </fieldset>
    </div>
  )
}
