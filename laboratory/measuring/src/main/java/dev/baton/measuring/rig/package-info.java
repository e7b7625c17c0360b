/**
 * What a trial turns: the seam between the laboratory, which decides what is sent and accounts for what arrives, and the
 * engines that carry it from one to the other; and the thread that sends outside of what is measured. Names no engine and no
 * other part of a trial.
 */
package dev.baton.measuring.rig;
