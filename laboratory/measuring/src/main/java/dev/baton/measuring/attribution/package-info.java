/**
 * Why slow messages were slow: what each lived through, divided among the causes on the trial's one time line. Pure
 * functions of what was measured; nothing here runs while anything is measured.
 */
package dev.baton.measuring.attribution;
