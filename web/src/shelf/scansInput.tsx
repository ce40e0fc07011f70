import type { ComponentType } from 'react'
import { ImageInput } from '../admin/form/imageInput'
import type { InputProps } from '../admin/form/input'
import { Icon } from '../ui/icons'
import { useText } from '../ui/text'
import styles from './scans.module.css'

const MOST = 5

/** Several pictures of a document: those that are there, and room for the next. */
export function ScansInput({ Input = ImageInput, ...props }: InputProps & { Input?: ComponentType<InputProps> }) {
  const { value, onChange, label, isLocked } = props
  const kit = useText('admin')
  const scans = Array.isArray(value) ? value.map(String) : []
  return (
    <span className={styles.scans}>
      {scans.map((scan, at) => (
        <span key={scan} className={styles.scan}>
          <img src={scan} alt={`${label} ${at + 1}`} width={96} height={96} />
          {!isLocked && (
            <button
              type="button"
              className="icon-btn"
              aria-label={`${kit('form.image.remove')} ${at + 1}`}
              onClick={() => onChange(scans.filter((each) => each !== scan))}
            >
              <Icon name="close" />
            </button>
          )}
        </span>
      ))}
      {scans.length < MOST && (
        <Input
          {...props}
          key={scans.length}
          value={null}
          onChange={(next) => {
            if (typeof next === 'string' && !scans.includes(next)) onChange([...scans, next])
          }}
        />
      )}
    </span>
  )
}

/** What was uploaded, each opening whole beside the page. */
export function Scans({ pictures, label }: { pictures: readonly string[]; label: string }) {
  if (pictures.length === 0) return null
  return (
    <span className={styles.scans}>
      {pictures.map((picture, at) => (
        <a key={picture} href={picture} target="_blank" rel="noreferrer" className={styles.scan}>
          <img src={picture} alt={`${label} ${at + 1}`} width={96} height={96} loading="lazy" />
        </a>
      ))}
    </span>
  )
}
