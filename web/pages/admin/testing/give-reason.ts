import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Writes into the dialog of an act that is open, and confirms it. */
export async function giveReason(title: string, reason: string, action: string, label = 'Reason'): Promise<void> {
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await userEvent.type(dialog.getByRole('textbox', { name: label }), reason);
  await userEvent.click(dialog.getByRole('button', { name: action }));
}
