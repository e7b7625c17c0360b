/** How many instances a machine holds: the search for the number, and what each number needs of the machine. */
package dev.baton.lab.study.density;
