import { mount } from '../src/embed/index.ts'

mount({ isolation: 'none' })
