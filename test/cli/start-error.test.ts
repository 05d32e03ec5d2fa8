import { expect, it } from 'vitest'
import { SettingsError } from '../../src/bff/index.ts'
import { isExplained, printable, StartError } from '../../src/cli/start-error.ts'
import { CommandError, DataFolderError } from '../../src/runtime/index.ts'

it.each([
  new StartError('Free the port.'),
  new SettingsError('Set it.'),
  new CommandError('There is no such key.'),
  new DataFolderError('busy', 'Another process holds the folder.'),
])('a problem that the operator can fix is printed as its sentence: $name', (error) => {
  expect([isExplained(error), printable(error)]).toEqual([true, error.message])
})

it('any other error is printed whole', () => {
  const error = new Error('Cannot read properties of undefined')
  expect([isExplained(error), printable(error)]).toEqual([false, error])
})
